from langgraph.prebuilt import create_react_agent, ToolNode

__all__ = ["create_react_agent", "ToolNode", "build"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
