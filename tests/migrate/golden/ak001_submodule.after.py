from langchain.agents import create_agent
from langgraph.prebuilt.tool_node import InjectedState, msg_content_output


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])


KEEP = (InjectedState, msg_content_output)
