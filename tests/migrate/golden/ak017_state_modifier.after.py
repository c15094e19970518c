from langchain.agents import create_agent

HISTORICAL = True


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add], system_prompt="Be brief.")
