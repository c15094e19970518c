from langgraph.checkpoint.memory import MemorySaver
from langchain.agents import create_agent
from langchain.agents.middleware import after_model
from langgraph.types import Command, interrupt

INPUTS = [{"messages": [("user", "hi")]}, Command(resume="yes"), Command(resume="yes")]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@after_model
def ask(state, runtime):
    last = state["messages"][-1]
    if getattr(last, "tool_calls", None):
        interrupt({"calls": [c["name"] for c in last.tool_calls]})
    return {}


def build(model):
    return create_agent(model, [add], middleware=[ask], checkpointer=MemorySaver())
