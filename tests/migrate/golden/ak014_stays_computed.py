from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

INPUTS = [{"messages": [("user", "hi")]}, None]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


NODES = ["to" + "ols"]


def build(model):
    return create_react_agent(model, [add], checkpointer=MemorySaver(), interrupt_before=NODES)
