from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    return [{"role": "system", "content": "Be brief."}] + state["messages"]


agent = create_react_agent(model, tools=[add], prompt=prompt)
