from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


makers = [create_react_agent]


def build(model):
    return makers[0](model, [add])
