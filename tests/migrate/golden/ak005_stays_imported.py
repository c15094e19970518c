from langgraph.prebuilt import create_react_agent
from scripted import hook


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add], pre_model_hook=hook)
