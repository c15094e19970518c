from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK004 the prompt function returns text, which takes the place of the whole conversation
agent = create_react_agent(model, [add], prompt=lambda state: f"Continue after {len(state['messages'])} messages.")
SCRIPT = ["done"]  # the prompt hides the history, so a script with a tool call would never end
