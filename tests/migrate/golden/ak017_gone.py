from langgraph.prebuilt import ToolExecutor, ToolInvocation, create_react_agent

RUNS = False


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


executor = ToolExecutor([add])


def build(model):
    executor.invoke(ToolInvocation(tool="add", tool_input={"a": 1, "b": 2}))
    return create_react_agent(model, [add])
