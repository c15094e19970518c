from agentkit.prebuilt import create_react_agent
from agentkit.tools import ToolNode
from langchain.agents import create_agent

__all__ = ["create_react_agent", "ToolNode", "build"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])
