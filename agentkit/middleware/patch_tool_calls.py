"""History repair: no tool call stays without an answer."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime


class PatchToolCallsMiddleware(AgentMiddleware[Any, Any, Any]):
    """Answer the tool calls that an earlier run of the thread left open.

    A new user message on a thread that waits for a person, or was cancelled, would leave a call without a
    result, which providers refuse. Each such call gets an error message behind it. It does what deepagents'
    middleware of the same name does, and needs no deepagents.

    Example:
        ```python
        create_agent(model, tools, middleware=[PatchToolCallsMiddleware()])
        ```
    """

    def before_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Put an error message behind every tool call that has no answer.

        Args:
            state: The agent's state.
            runtime: The runtime of the graph. Not used.

        Returns:
            The whole history anew, or None where nothing is missing.
        """
        messages = state["messages"]
        answered = {one.tool_call_id for one in messages if isinstance(one, ToolMessage)}
        patched: list[AnyMessage] = []
        for message in messages:
            patched.append(message)
            if isinstance(message, AIMessage):
                patched += _missing(message, answered)
        if len(patched) == len(messages):
            return None
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *patched]}


def _missing(message: AIMessage, answered: set[str]) -> list[ToolMessage]:
    patches = []
    for call in (*message.tool_calls, *message.invalid_tool_calls):
        if call["id"] is None or call["id"] in answered:
            continue
        name = call["name"] or "unknown"
        problem = (
            "could not be executed - arguments were malformed or truncated."
            if call.get("type") == "invalid_tool_call"
            else "did not complete - no result was recorded. It may have been cancelled or interrupted."
        )
        text = f"Tool call {name} with id {call['id']} {problem}"
        patches.append(ToolMessage(text, name=name, tool_call_id=call["id"], status="error"))
    return patches
