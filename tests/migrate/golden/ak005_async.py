from langgraph.prebuilt import create_react_agent

HOW = ["async"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def hook(state):
    return {"messages": []}


def build(model):
    return create_react_agent(model, [add], pre_model_hook=hook)
