# agent: none
# historical
from langchain_core.tools import tool
from langgraph.prebuilt import ToolExecutor, ToolInvocation


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


tool_executor = ToolExecutor([add])
print(tool_executor.invoke(ToolInvocation(tool="add", tool_input={"a": 1, "b": 2})))
