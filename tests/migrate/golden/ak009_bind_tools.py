from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tools = [add]
    bound = model.bind_tools(tools)
    return create_react_agent(bound, tools)
