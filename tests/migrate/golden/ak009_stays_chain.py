from langchain_core.runnables import RunnableLambda

from langgraph.prebuilt import create_react_agent

SCRIPT = ["one", "two"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(RunnableLambda(lambda value: value) | model, [])
