from langgraph.prebuilt import ToolExecutor, ToolInvocation
from langgraph.prebuilt import chat_agent_executor

tool_executor = ToolExecutor([])
app = chat_agent_executor.create_tool_calling_executor(model, [])


def call_tool(state):
    action = ToolInvocation(tool="x", tool_input={})
    return {"messages": [tool_executor.invoke(action)]}
