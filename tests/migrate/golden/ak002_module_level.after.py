"""A script."""
from langchain.agents import create_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_agent(model, [add])  # the agent
