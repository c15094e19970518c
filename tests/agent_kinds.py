"""agentkit's agents as parameters, and the states that the tests of tools share."""

from __future__ import annotations

import operator
from typing import Annotated, Any

import pytest
from langchain_core.messages import ToolMessage

from agentkit.agents import AgentState, create_agent
from agentkit.prebuilt import chat_agent_executor, create_react_agent
from agentkit.testing import ScriptedChatModel
from agentkit.tools import ToolRuntime, tool


class LegacyState(chat_agent_executor.AgentState):
    """The fields that the tools of this file write, on the legacy state."""

    current_step: str
    issue_type: str
    last_order_status: str
    visited: Annotated[list[str], operator.add]


class CurrentState(AgentState):
    """The same on today's state."""

    current_step: str
    issue_type: str
    last_order_status: str
    visited: Annotated[list[str], operator.add]


class PydanticState(chat_agent_executor.AgentStatePydantic):
    """The same on the pydantic state; its fields have defaults."""

    current_step: str = "triage"
    issue_type: str = ""
    last_order_status: str = ""
    visited: Annotated[list[str], operator.add] = []


# Bare `ToolRuntime` says that the state is a dict, and pydantic warns (in tracing) where it is not.
Runtime = ToolRuntime[None, Any]


class Kind:
    """One of agentkit's agents: how it is built and what its model node is called."""

    def __init__(self, name: str, create: Any, model_node: str, state: type, **kwargs: Any) -> None:
        self.name, self.create, self.model_node, self.state, self.kwargs = name, create, model_node, state, kwargs

    def build(self, script: list[Any], tools: Any, **kwargs: Any) -> tuple[Any, ScriptedChatModel]:
        model = ScriptedChatModel(script=script)
        return self.create(model, tools, **self.kwargs, **kwargs), model


CURRENT = Kind("create_agent", create_agent, "model", CurrentState)
LEGACY = [
    Kind("create_react_agent-v1", create_react_agent, "agent", LegacyState, version="v1"),
    Kind("create_react_agent-v2", create_react_agent, "agent", LegacyState, version="v2"),
]
PYDANTIC = Kind("create_react_agent-pydantic", create_react_agent, "agent", PydanticState)
each_agent = pytest.mark.parametrize("kind", [CURRENT, *LEGACY], ids=lambda kind: kind.name)
each_state = pytest.mark.parametrize("kind", [CURRENT, *LEGACY, PYDANTIC], ids=lambda kind: kind.name)

GO = {"messages": [("user", "go")]}
THREAD = {"configurable": {"thread_id": "t"}}


def answers(result: Any) -> list[ToolMessage]:
    return [message for message in result["messages"] if isinstance(message, ToolMessage)]


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"{city}: 晴天, 25°C"
