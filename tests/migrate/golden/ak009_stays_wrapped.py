from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    from typing import cast

    bound = cast(object, model.bind_tools([add]))
    return create_react_agent(bound, [add])
