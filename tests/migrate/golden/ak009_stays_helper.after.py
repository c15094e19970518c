from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def wrap(inner):
    return inner


def build(model):
    # TODO(agentkit): AK009 wrap(model.bind(stop=["x"])) is not always a plain chat model, as this file shows
    return create_react_agent(wrap(model.bind(stop=["x"])), [add])
