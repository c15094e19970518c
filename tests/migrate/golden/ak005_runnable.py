from langchain_core.runnables import RunnableLambda
from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


hook = RunnableLambda(lambda state: {"messages": []})


def build(model):
    return create_react_agent(model, [add], pre_model_hook=hook)
