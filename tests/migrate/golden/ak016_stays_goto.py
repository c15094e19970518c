from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langgraph.types import Command


def again(state):
    if len(state["messages"]) < 3:
        return Command(goto="agent")
    return {}


agent = create_react_agent(model, [add], pre_model_hook=again)
