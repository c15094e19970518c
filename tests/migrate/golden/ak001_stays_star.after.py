# TODO(agentkit): AK001 a star import hides which names are in use: import them by name
from langgraph.prebuilt import *


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
