from agentkit.prebuilt import create_react_agent
from scripted import hook


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK005 pre_model_hook=hook is no function that this file shows
    return create_react_agent(model, [add], pre_model_hook=hook)
