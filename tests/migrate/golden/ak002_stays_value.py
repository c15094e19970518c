from functools import partial

from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


make = partial(create_react_agent, tools=[add])


def build(model):
    return make(model)
