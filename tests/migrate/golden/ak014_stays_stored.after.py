from agentkit.prebuilt import create_react_agent
from scripted import saver

INPUTS = [{"messages": [("user", "hi")]}, None]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK014 threads stored by the legacy agent could not get past this pause
    return create_react_agent(model, [add], checkpointer=saver(), interrupt_before=["tools"])
