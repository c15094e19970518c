from functools import lru_cache, wraps

from langgraph.prebuilt import create_react_agent


def shout(function):
    @wraps(function)
    def inner(state):
        return [("system", "LOUD"), *function(state)]

    return inner


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@shout
def prompt(state):
    return state["messages"]


def build(model):
    return create_react_agent(model, [add], prompt=prompt)
