from functools import partial

from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK002 create_react_agent is passed on as a value, so its calls can't be seen
make = partial(create_react_agent, tools=[add])


def build(model):
    return make(model)
