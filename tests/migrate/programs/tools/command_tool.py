# inputs: [{"messages": [("user", "hi")], "draft": ""}]
# script: [call("write", text="hello"), "Written."]
from typing import Annotated

from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.types import Command


class Draft(AgentState):
    draft: str


@tool
def write(
    text: str, draft: Annotated[str, InjectedState("draft")], tool_call_id: Annotated[str, InjectedToolCallId]
) -> Command:
    """Add to the draft."""
    return Command(update={"draft": draft + text, "messages": [ToolMessage("ok", tool_call_id=tool_call_id)]})


agent = create_react_agent(ChatOpenAI(), [write], state_schema=Draft, prompt="You write.")
