from agentkit.prebuilt import create_react_agent
from scripted import prompt


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK004 prompt=prompt is no text or function that this file shows
    return create_react_agent(model, [add], prompt=prompt)
