from agentkit.prebuilt import create_react_agent

HISTORICAL = True


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK017 messages_modifier=lambda messages: messages[-2:] is no text that this file shows
    return create_react_agent(model, [add], messages_modifier=lambda messages: messages[-2:])
