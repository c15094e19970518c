from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt

HOW = ["async"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@dynamic_prompt
async def prompt(request: ModelRequest):
    return "Be brief."


def build(model):
    return create_agent(model, [add], middleware=[prompt])
