from langgraph.prebuilt import ToolNode, create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


node = ToolNode([add])
NAMES = list(node.tools_by_name)


def build(model):
    return create_react_agent(model, node)
