from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.types import Command, interrupt

INPUTS = [{"messages": [("user", "hi")]}, Command(resume="yes"), Command(resume="yes")]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def ask(state):
    last = state["messages"][-1]
    if getattr(last, "tool_calls", None):
        interrupt({"calls": [c["name"] for c in last.tool_calls]})
    return {}


def build(model):
    return create_react_agent(model, [add], post_model_hook=ask, checkpointer=MemorySaver())
