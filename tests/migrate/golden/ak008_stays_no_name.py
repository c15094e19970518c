from langgraph.prebuilt import create_react_agent
from scripted import model as small


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


MODELS = {"small": small}


def pick(state, runtime):
    return MODELS["small"].bind_tools([add])


agent = create_react_agent(pick, [add])
