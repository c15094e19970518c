from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tone = "brief"
    return create_react_agent(
        model,
        [add],
        prompt=lambda s: [("system", f"Be {tone}."), *s["messages"]],
    )
