from langchain.agents import create_agent
from agentkit.prebuilt.tool_node import msg_content_output
from langchain.tools import InjectedState


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])


KEEP = (InjectedState, msg_content_output)
