from typing import Annotated

from langchain_core.tools import InjectedToolCallId, tool
from langchain_core.messages import ToolMessage
from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.types import Command


class CustomState(AgentState):
    user_id: str
    preferences: dict


@tool
def greet(state: Annotated[CustomState, InjectedState]) -> str:
    """Greet the user."""
    return f"Hello {state['user_id']}!"


@tool
def remember(key: str, value: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Remember."""
    return Command(update={"preferences": {key: value}, "messages": [ToolMessage("ok", tool_call_id=tool_call_id)]})


agent = create_react_agent("openai:gpt-4o", [greet, remember], state_schema=CustomState)
