# inputs: [{"messages": [("user", "hi")], "user_id": "u1", "preferences": {}}]
# script: [[call("whoami"), call("remember", key="tone", value="kind")], "ok"]
from typing import Annotated

from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.types import Command


class CustomState(AgentState):
    user_id: str
    preferences: dict


@tool
def whoami(state: Annotated[CustomState, InjectedState]) -> str:
    """Who is the user?"""
    return f"user {state['user_id']}"


@tool
def remember(key: str, value: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Remember a preference."""
    return Command(
        update={"preferences": {key: value}, "messages": [ToolMessage("remembered", tool_call_id=tool_call_id)]}
    )


agent = create_react_agent(ChatOpenAI(), [whoami, remember], state_schema=CustomState)
