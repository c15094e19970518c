from agentkit.prebuilt import create_react_agent
from scripted import model as small


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


MODELS = {"small": small}


def pick(state, runtime):
    return MODELS["small"].bind_tools([add])


# TODO(agentkit): AK008 create_agent needs a model to start with, and the function returns none that is named here
agent = create_react_agent(pick, [add])
