from langchain.agents import create_agent
from langchain.agents.middleware import before_model

HOW = ["async"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@before_model
async def hook(state, runtime):
    return {"messages": []}


def build(model):
    return create_agent(model, [add], middleware=[hook])
