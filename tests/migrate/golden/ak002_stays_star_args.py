from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    arguments = (model, [add])
    return create_react_agent(*arguments)
