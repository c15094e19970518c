from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def create_agent(model):
    return create_react_agent(model, [add], prompt=None)


def build(model):
    return create_agent(model)
