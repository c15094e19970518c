from langchain.agents import create_agent
# TODO(agentkit): AK017 ToolExecutor is gone: call a ToolNode with the message, or tool.invoke(args) with the tool of that name
# TODO(agentkit): AK017 ToolInvocation is gone: call tool.invoke(args) with the tool of that name
from langgraph.prebuilt import ToolExecutor, ToolInvocation

RUNS = False


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


executor = ToolExecutor([add])


def build(model):
    executor.invoke(ToolInvocation(tool="add", tool_input={"a": 1, "b": 2}))
    return create_agent(model, [add])
