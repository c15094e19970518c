from langchain.agents import create_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(
        model,
        [add],
        system_prompt=(
            "You add numbers. "  # what it does
            "Be brief."
        ),
    )
