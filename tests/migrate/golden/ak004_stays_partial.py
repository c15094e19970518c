from functools import partial

from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(tone, state):
    return [("system", f"Be {tone}."), *state["messages"]]


def build(model):
    return create_react_agent(model, [add], prompt=partial(prompt, "brief"))
