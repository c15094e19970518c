from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def last_three(state):
    recent = state["messages"][-3:]
    return [("system", "Be brief."), *recent]


def build(model):
    return create_react_agent(model, [add], prompt=last_three)
