from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make_model():
    return model.bind_tools([add], tool_choice="any")


agent = create_react_agent(make_model(), [add])
