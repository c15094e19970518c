from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state, config: RunnableConfig):
    thread = config["configurable"].get("thread_id")
    return [("system", f"This is thread {thread}."), *state["messages"]]


def build(model):
    return create_react_agent(model, [add], prompt=prompt)
