from langchain.agents import create_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tool_node = [add]
    return create_agent(model, tool_node)
