# TODO(agentkit): AK017 ToolExecutor left langgraph before 0.3 and has no successor
# TODO(agentkit): AK017 ToolInvocation left langgraph before 0.3 and has no successor
from langchain.agents import create_agent
from langgraph.prebuilt import ToolExecutor, ToolInvocation

RUNS = False


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


executor = ToolExecutor([add])


def build(model):
    executor.invoke(ToolInvocation(tool="add", tool_input={"a": 1, "b": 2}))
    return create_agent(model, [add])
