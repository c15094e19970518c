"""What the model is told in place of, or on top of, a tool's result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.types import Command

EDIT_NOTICE = (
    "Note: a human reviewer replaced this tool call before it ran. The call recorded in "
    "your message is the one you produced, not the one that executed. This was "
    "intentional and authorized. Do not re-issue your original call."
)


def decided(call: Mapping[str, Any], decision: Mapping[str, Any]) -> ToolMessage:
    """Write the message that stands for a rejected call, or that answers it in the tool's place.

    Args:
        call: The tool call.
        decision: A `reject` or `respond` decision.

    Returns:
        The message: an error for a rejection, a success for a response.
    """
    name, message = call["name"], decision.get("message")
    if decision["type"] == "respond":
        content = str(message)
    elif decision.get("again"):
        content = (
            f"The tool call for `{name}` with id {call['id']} was approved and started, and it is not known whether it "
            f"ran to its end. A person then decided not to run it again{f': {message}' if message else ''}."
        )
    elif message:
        content = f"User rejected the tool call for `{name}` with reason: {message}\nThe tool was not executed."
    else:
        content = (
            f"User rejected the tool call for `{name}` with id {call['id']}. The tool was not executed. "
            "Do not retry this tool call unless the user explicitly requests it."
        )
    return ToolMessage(
        content,
        name=name,
        tool_call_id=call["id"],
        status="success" if decision["type"] == "respond" else "error",
        additional_kwargs={
            "lc_source": "hitl_interrupt_decision",
            "lc_data": {"decision": decision["type"]},
        },
    )


def denied(call: Mapping[str, Any], reason: str) -> ToolMessage:
    """Write the error for a call that a permission rule forbids."""
    return _error(call, f"Error: permission denied for {reason}. The tool was not executed.")


def not_repeated(call: Mapping[str, Any]) -> ToolMessage:
    """Write the message for a call that has run before and left no message of its own."""
    return ToolMessage(
        f"The tool call for `{call['name']}` with id {call['id']} has run before; it was not run again.",
        name=call["name"],
        tool_call_id=call["id"],
    )


def unreviewed(call: Mapping[str, Any]) -> ToolMessage:
    """Write the error for a call that reached the tools without the approval it needs."""
    return _error(
        call,
        f"The tool call for `{call['name']}` with id {call['id']} was not executed: it needs a person's "
        "approval in exactly this form and has none. Make the call again if it is still needed.",
    )


def ambiguous(call: Mapping[str, Any]) -> ToolMessage:
    """Write the error for a call that shares its id with another one of the same turn."""
    return _error(
        call,
        f"The tool calls with id {call['id']} were not executed: several calls have that id, so no approval "
        "can be told apart. Make each call again with an id of its own.",
    )


def _error(call: Mapping[str, Any], content: str) -> ToolMessage:
    return ToolMessage(content, name=call["name"], tool_call_id=call["id"], status="error")


def with_notice(result: Any, call: Mapping[str, Any], notice: str | None) -> Any:
    """Tell the model that a reviewer replaced the call, on top of the tool's result.

    Args:
        result: A `ToolMessage`, or a `Command` that carries one.
        call: The call that ran.
        notice: The text, or None to add nothing.

    Returns:
        The result with the notice first.
    """
    if not notice:
        return result
    if isinstance(result, ToolMessage):
        return _prepend(result, call, notice)
    if not isinstance(result, Command) or not isinstance(result.update, dict):
        return result
    messages = result.update.get("messages")
    if not isinstance(messages, list):
        return result
    marked = [
        _prepend(m, call, notice) if isinstance(m, ToolMessage) and m.tool_call_id == call["id"] else m
        for m in messages
    ]
    return replace(result, update={**result.update, "messages": marked})


def _prepend(message: ToolMessage, call: Mapping[str, Any], notice: str) -> ToolMessage:
    arguments = json.dumps(call["args"], default=str)
    text = f"{notice} Executed instead: {call['name']} with arguments {arguments}."
    if message.content:
        text += "\n\nTool response:"
    if text in str(message.content):
        return message
    content: Any
    if isinstance(message.content, str):
        content = f"{text}\n{message.content}" if message.content else text
    else:
        # Providers may refuse a list that mixes texts and blocks.
        plain = bool(message.content) and all(isinstance(block, str) for block in message.content)
        content = [text if plain else {"type": "text", "text": text}, *message.content]
    return message.model_copy(update={"content": content})
