from langchain.agents import create_agent
from langchain.agents.middleware import after_model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@after_model
def remember(state, runtime):
    store = runtime.store
    return {}


def build(model):
    return create_agent(model, [add], middleware=[remember])
