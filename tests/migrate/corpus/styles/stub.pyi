from langgraph.prebuilt import ToolNode, ToolRuntime
from langgraph.prebuilt.chat_agent_executor import AgentState

class State(AgentState):
    user: str

def node(tools: list[object]) -> ToolNode: ...
def describe(runtime: ToolRuntime) -> str: ...
