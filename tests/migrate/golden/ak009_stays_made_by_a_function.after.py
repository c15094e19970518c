from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make_model():
    return model.bind_tools([add], tool_choice="any")


# TODO(agentkit): AK009 make_model() is not always a plain chat model, as this file shows
agent = create_react_agent(make_model(), [add])
