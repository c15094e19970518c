from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    return [*state["messages"], ("user", "Be brief.")]


agents = {}
for name in ("first", "last"):
    agents[name] = create_react_agent(model, [add], prompt=prompt, name=name)
agent = agents["first"]
