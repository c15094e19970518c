from langgraph.prebuilt import create_react_agent

HISTORICAL = True
SCRIPT = ["done", "well"]  # what goes by the number of messages would call tools forever


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add], messages_modifier=lambda messages: messages[-2:])
