from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.prebuilt import create_react_agent

INPUTS = [{"messages": [("user", "hi")]}, None]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


HOW = ["sync"]


def build(model):
    saver = SqliteSaver.from_conn_string(":memory:").__enter__()
    return create_react_agent(model, [add], checkpointer=saver, interrupt_before=["tools"])
