from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def gave_up(answer):
    return "need more steps" in answer


def build(model):
    return create_react_agent(model, [add])
