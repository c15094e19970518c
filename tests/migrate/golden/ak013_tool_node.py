from langgraph.prebuilt import ToolNode, create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tool_node = ToolNode([add])
    return create_react_agent(model, tool_node)
