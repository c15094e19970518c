import langgraph.graph
import agentkit.prebuilt
import langgraph
from langchain.agents import create_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


END = langgraph.graph.END
NODE = agentkit.prebuilt.ToolNode([add])


def build(model):
    return create_agent(model, [add])
