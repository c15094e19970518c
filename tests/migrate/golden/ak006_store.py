from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def remember(state, *, store):
    return {}


def build(model):
    return create_react_agent(model, [add], post_model_hook=remember)
