from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langgraph.config import get_config


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@before_model
def trim(state, runtime):
    config = get_config()
    return {"messages": []}


def build(model):
    return create_agent(model, [add], middleware=[trim])
