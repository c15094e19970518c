from langchain.agents import create_agent
from langchain.agents.middleware import after_model, before_model
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def look(state):
    assert state["messages"]
    return {}


@before_model
def pre_model_hook(state, runtime):
    return look(state)


@after_model
def post_model_hook(state, runtime):
    return look(state)


agent = create_agent(model, [add], middleware=[pre_model_hook, post_model_hook])
