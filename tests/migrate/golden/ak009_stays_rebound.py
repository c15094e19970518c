from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


if add(1, 2) == 3:
    model = model.bind_tools([add])

agent = create_react_agent(model, [add])
