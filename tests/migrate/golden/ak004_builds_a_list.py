from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    sent = [("system", "You add.")]
    sent.extend(state["messages"])
    return sent


agent = create_react_agent(model, [add], prompt=prompt)
