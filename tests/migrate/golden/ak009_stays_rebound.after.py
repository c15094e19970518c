from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if add(1, 2) == 3:
    model = model.bind_tools([add])

# TODO(agentkit): AK009 model is not always a plain chat model, as this file shows
agent = create_react_agent(model, [add])
