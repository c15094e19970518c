from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


DEFAULT = "Be brief."


def make(model, custom=None):
    return create_react_agent(model, [add], prompt=custom or DEFAULT)


def build(model):
    return make(model)
