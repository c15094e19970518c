from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langgraph.prebuilt import ToolNode


def get_tools():
    return ToolNode([add])


class Kit:
    node = ToolNode([add])


# TODO(agentkit): AK013 get_tools() may be a ToolNode that was made elsewhere
agent = create_react_agent(model, get_tools())
# TODO(agentkit): AK013 Kit.node may be a ToolNode that was made elsewhere
other = create_react_agent(model, Kit.node)
# TODO(agentkit): AK013 [add] if add(1, 1) == 3 else ToolNode... may be a ToolNode that was made elsewhere
third = create_react_agent(model, [add] if add(1, 1) == 3 else ToolNode([add]))
