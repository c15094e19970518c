import langgraph.graph
import langgraph.prebuilt


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


END = langgraph.graph.END
NODE = langgraph.prebuilt.ToolNode([add])


def build(model):
    return langgraph.prebuilt.create_react_agent(model, [add])
