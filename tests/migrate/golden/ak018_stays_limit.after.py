from agentkit.prebuilt import create_react_agent

CONFIG = {"recursion_limit": 3}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK018 the file sets a recursion limit, at which create_agent raises where this agent answers
    return create_react_agent(model, [add])
