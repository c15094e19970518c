from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(model, prompt):
    return create_react_agent(model, [add], prompt=prompt)


def build(model):
    return make(model, "Be brief.")
