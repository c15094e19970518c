"""Tools and messages that the tests of ToolNode and of validation share."""

from __future__ import annotations

from typing import Annotated, Any

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore
from pydantic import BaseModel

from agentkit.prebuilt import (
    InjectedState,
    InjectedStore,
    ToolRuntime,
)
from agentkit.tools import InjectedToolCallId, tool


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def asks(*calls: Any) -> AIMessage:
    """An AI message that makes the calls, numbered 1, 2, ... where they have no id."""
    return AIMessage("", tool_calls=[{**c, "id": c["id"] or str(n)} for n, c in enumerate(calls, 1)])


def answer(content: str, name: str, id: str = "1", **more: Any) -> ToolMessage:
    return ToolMessage(content, name=name, tool_call_id=id, **more)


class OnlyX(BaseModel):
    x: int


@tool(args_schema=OnlyX)
def with_state(x: int, state: Annotated[dict, InjectedState]) -> str:
    """Use the state."""
    return f"{x} {state['user']}"


@tool(args_schema=OnlyX)
def with_field(x: int, user: Annotated[str, InjectedState("user")]) -> str:
    """Use a field."""
    return f"{x} {user}"


@tool(args_schema=OnlyX)
def with_store(x: int, store: Annotated[BaseStore, InjectedStore()]) -> str:
    """Use the store."""
    return f"{x} {store.get(('p',), 'user').value['v']}"


@tool(args_schema=OnlyX)
def with_runtime(x: int, runtime: ToolRuntime) -> str:
    """Use the runtime."""
    return f"{x} {runtime.state['user']}"


@tool(args_schema=OnlyX)
def with_call_id(x: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Use the call's id."""
    return f"{x} {tool_call_id}"


@tool(args_schema=OnlyX)
def with_own_call_id(x: int, mine: Annotated[str, InjectedToolCallId]) -> str:
    """Use the call's id under a name of one's own."""
    return f"{x} {mine}"


class UserState(MessagesState):
    user: str


def graph_of(node: Any, state: type = UserState, store: Any = None) -> Any:
    builder = StateGraph(state)
    builder.add_node("tools", node)
    builder.add_edge(START, "tools")
    return builder.compile(store=store)


class CustomError(Exception):
    pass


def fail(kind: str, number: int = 0) -> str:
    """Fail in the given way."""
    errors = {"value": ValueError, "type": TypeError, "custom": CustomError, "tool": ToolException}
    if kind in errors:
        raise errors[kind](f"a {kind} error")
    return "fine"


def is_error(message: ToolMessage) -> bool:
    """Both marks of an error agree."""
    marked = message.additional_kwargs.get("is_error", False)
    assert marked == (message.status == "error")
    return marked
