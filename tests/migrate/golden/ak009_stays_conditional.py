from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_react_agent(model if add(1, 1) == 3 else model.bind_tools([add], tool_choice="any"), [add])
