from langchain_core.tools import tool
from agentkit.prebuilt import create_react_agent


@tool(return_direct=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK018 a tool has return_direct, and with parallel calls the two agents end differently
    return create_react_agent(model, [add])
