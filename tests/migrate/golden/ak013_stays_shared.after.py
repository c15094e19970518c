from agentkit.prebuilt import create_react_agent
from langgraph.prebuilt import ToolNode


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


node = ToolNode([add])
NAMES = list(node.tools_by_name)


def build(model):
    # TODO(agentkit): AK013 the ToolNode is used in more than this call
    return create_react_agent(model, node)
