import langgraph.prebuilt as lp


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return lp.create_react_agent(model, [add])
