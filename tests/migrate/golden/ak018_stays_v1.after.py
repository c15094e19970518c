from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK018 version="v1": create_agent runs each tool call as a task of its own
    return create_react_agent(
        model,
        [add],
        version="v1",  # one task
    )
