from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK009 model if add(1, 1) == 3 else model.bi... is not always a plain chat model, as this file shows
agent = create_react_agent(model if add(1, 1) == 3 else model.bind_tools([add], tool_choice="any"), [add])
