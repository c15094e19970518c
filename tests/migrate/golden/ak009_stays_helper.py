from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def wrap(inner):
    return inner


def build(model):
    return create_react_agent(wrap(model.bind(stop=["x"])), [add])
