from langgraph.prebuilt import create_react_agent

CONFIG = {"recursion_limit": 3}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
