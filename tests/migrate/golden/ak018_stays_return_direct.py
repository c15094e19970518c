from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent


@tool(return_direct=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
