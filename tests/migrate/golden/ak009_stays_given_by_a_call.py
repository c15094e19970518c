from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(llm):
    return create_react_agent(llm, [add])


agent = make(model.bind_tools([add], tool_choice="any"))
