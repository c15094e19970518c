from agentkit.prebuilt import create_react_agent
from langchain.agents import create_agent
from langgraph.prebuilt import ToolNode

__all__ = ["create_react_agent", "ToolNode", "build"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])
