from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(
        model,
        [add],
        prompt=(
            "You add numbers. "  # what it does
            "Be brief."
        ),
    )
