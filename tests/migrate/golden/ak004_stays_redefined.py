from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    return [("system", "Be brief."), *state["messages"]]


if add(1, 2) == 3:

    def prompt(state):
        return [("system", "Be exact."), *state["messages"]]


def build(model):
    return create_react_agent(model, [add], prompt=prompt)
