from functools import lru_cache, wraps

from agentkit.prebuilt import create_react_agent


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
    # TODO(agentkit): AK004 prompt has a decorator, so what it takes and returns can't be seen
    return create_react_agent(model, [add], prompt=prompt)
