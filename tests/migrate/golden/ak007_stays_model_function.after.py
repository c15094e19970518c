from agentkit.prebuilt import create_react_agent

STRUCTURED = {"city": "Rome"}


class City(dict):
    """A city."""


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    def pick(state, runtime):
        models = {"small": model}
        return models["small"].bind_tools([add])

    # TODO(agentkit): AK008 create_agent needs a model to start with, and the function returns none that is named here
    return create_react_agent(pick, [add])
