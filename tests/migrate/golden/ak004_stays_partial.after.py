from functools import partial

from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(tone, state):
    return [("system", f"Be {tone}."), *state["messages"]]


def build(model):
    # TODO(agentkit): AK004 prompt=partial(prompt, "brief") is no text or function that this file shows
    return create_react_agent(model, [add], prompt=partial(prompt, "brief"))
