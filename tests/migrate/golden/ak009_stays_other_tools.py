from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model.bind_tools([add, {"type": "web_search"}]), [add, {"type": "web_search"}][:2])
