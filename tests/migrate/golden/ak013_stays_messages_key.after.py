from agentkit.prebuilt import create_react_agent
from langgraph.prebuilt import ToolNode


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK013 the ToolNode has messages_key= set
    return create_react_agent(model, ToolNode([add], messages_key="messages"))
