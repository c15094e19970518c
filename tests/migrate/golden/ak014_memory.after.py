from langgraph.checkpoint.memory import MemorySaver
from langchain.agents import create_agent

INPUTS = [{"messages": [("user", "hi")]}, None, None]
memory = MemorySaver


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(
        model, [add], checkpointer=MemorySaver(), interrupt_before=["tools"], interrupt_after=['model']
    )
