from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agents = {}
for name in ("first", "last"):
    agents[name] = create_react_agent(
        model, [add], prompt=lambda state, name=name: [("system", name), *state["messages"]]
    )
agent = agents["first"]
