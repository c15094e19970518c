from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent
from langgraph.store.memory import InMemoryStore


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(
        model=model,
        tools=[add],
        checkpointer=MemorySaver(),
        store=InMemoryStore(),
        debug=False,
        name="calculator",
    )
