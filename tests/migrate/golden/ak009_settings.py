from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tools = [add]
    return create_react_agent(
        model.bind_tools(tools, tool_choice="any", parallel_tool_calls=False), tools
    )
