from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def look(state):
    assert state["messages"]
    return {}


agent = create_react_agent(model, [add], pre_model_hook=look, post_model_hook=look)
