from langchain.agents import create_agent as langchain_create_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def create_agent(model):
    return langchain_create_agent(model, [add])


def build(model):
    return create_agent(model)
