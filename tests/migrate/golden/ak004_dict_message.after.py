from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@dynamic_prompt
def prompt(request: ModelRequest):
    return "Be brief."


agent = create_agent(model, tools=[add], middleware=[prompt])
