from langgraph.checkpoint.sqlite import SqliteSaver
from agentkit.prebuilt import create_react_agent

INPUTS = [{"messages": [("user", "hi")]}, None]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


HOW = ["sync"]


def build(model):
    saver = SqliteSaver.from_conn_string(":memory:").__enter__()
    # TODO(agentkit): AK014 threads stored by the legacy agent could not get past this pause
    return create_react_agent(model, [add], checkpointer=saver, interrupt_before=["tools"])
