from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langgraph.prebuilt import ToolNode


def get_tools():
    return ToolNode([add])


class Kit:
    node = ToolNode([add])


agent = create_react_agent(model, get_tools())
other = create_react_agent(model, Kit.node)
third = create_react_agent(model, [add] if add(1, 1) == 3 else ToolNode([add]))
