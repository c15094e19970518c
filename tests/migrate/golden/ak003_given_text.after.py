from langchain.agents import create_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(model, prompt):
    return create_agent(model, [add], system_prompt=prompt)


def build(model):
    return make(model, "Be brief.")
