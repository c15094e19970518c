from langgraph.prebuilt import ToolNode, create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, ToolNode([add], messages_key="messages"))
