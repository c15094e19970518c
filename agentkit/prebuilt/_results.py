"""What tools and wrappers may return, checked and brought into one form; `ToolNode` has the table of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, cast

from langchain_core.messages import RemoveMessage, ToolCall, ToolMessage, convert_to_messages
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt.tool_node import msg_content_output
from langgraph.types import Command

Result = ToolMessage | Command[Any]


def checked_result(result: Any, call: ToolCall, messages_key: str, input_type: str) -> Result | list[Result]:
    """Check what a tool returned.

    Args:
        result: What `tool.invoke` gave.
        call: The model's call.
        messages_key: The state key that holds the messages.
        input_type: `"list"` where the node was given a list of messages, else `"dict"` or `"tool_calls"`.

    Returns:
        The result, with message objects in place of dicts.

    Raises:
        TypeError: If it is neither a message nor a command, or a list with something else in it.
        ValueError: If a command does not fit the state, or the call is left without an answer or has two.
    """
    items = result if isinstance(result, list) else [result]
    if wrong := [item for item in items if not isinstance(item, ToolMessage | Command)]:
        if isinstance(result, list):
            raise TypeError(
                f"Tool {call['name']} returned a list with invalid element types: expected all Command or ToolMessage, "
                f"got {wrong[0]!r}"
            )
        raise TypeError(f"Tool {call['name']} returned unexpected type: {type(result)}")
    checked = [_checked_item(item, call, messages_key, input_type) for item in items]
    if isinstance(result, list):
        _check_answers(checked, call, messages_key)
        return checked
    if isinstance(result, Command):
        _check_answer(cast("Command[Any]", checked[0]), call, messages_key, input_type)
    return checked[0]


def check_wrapped(result: Any, call: ToolCall, wrappers: Sequence[str]) -> None:
    """Check what the wrappers around a tool returned.

    Raises:
        TypeError: If it is nothing that can answer a call. It names the wrappers.
    """
    items = result if isinstance(result, list) else [result]
    if all(isinstance(item, ToolMessage | Command) for item in items):
        return
    one = " or ".join(wrappers)
    given = "None" if result is None else f"{type(result).__name__}: {result!r}"
    hint = " Did it forget `return handler(request)`?" if result is None else ""
    raise TypeError(
        f"The wrapper around tool {call['name']!r} ({one}) returned {given}. "
        f"A wrapper returns what its handler returns: a ToolMessage, a Command, or a list of them.{hint}"
    )


def _checked_item(item: Result, call: ToolCall, messages_key: str, input_type: str) -> Result:
    if isinstance(item, ToolMessage):
        item.content = cast("Any", msg_content_output(item.content))
        return item
    update = item.update
    if isinstance(update, dict):
        if input_type == "list":
            raise ValueError(
                f"Tools can provide a dict in Command.update only when using dict with {messages_key!r} key as "
                f"ToolNode input, got: {update} for tool '{call['name']}'"
            )
        changed: Any = dict(deepcopy(update))
        if messages_key in changed:
            changed[messages_key] = _messages(changed[messages_key], call)
    elif isinstance(update, list) and input_type == "list":
        changed = _messages(deepcopy(update), call)
    elif isinstance(update, list) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in update):
        changed = [(k, _messages(v, call) if k == messages_key else v) for k, v in deepcopy(update)]
    elif isinstance(update, list):
        raise ValueError(
            "Tools can provide a list of messages in Command.update only when using list of messages as ToolNode "
            f"input, got: {update} for tool '{call['name']}'"
        )
    else:
        return item
    return replace(item, update=changed)


def _messages(given: Any, call: ToolCall) -> Any:
    messages = convert_to_messages(given if isinstance(given, list | tuple) else [given])
    for message in messages:
        if isinstance(message, ToolMessage) and message.tool_call_id == call["id"]:
            message.name = call["name"]
    return messages


def _answers_in(item: Result, call: ToolCall, messages_key: str) -> Iterator[ToolMessage]:
    """The messages of a result that answer the call."""
    if isinstance(item, ToolMessage):
        messages: Any = [item]
    elif isinstance(item.update, dict):
        messages = item.update.get(messages_key, [])
    elif isinstance(item.update, list):
        pairs = [pair for pair in item.update if isinstance(pair, tuple)]
        messages = [m for key, value in pairs if key == messages_key for m in value] if pairs else item.update
    else:
        messages = []
    for message in messages:
        if isinstance(message, ToolMessage) and message.tool_call_id == call["id"]:
            yield message


def _removes_all(command: Command[Any], messages_key: str) -> bool:
    update = command.update
    messages = update.get(messages_key) if isinstance(update, dict) else update
    return messages == [RemoveMessage(id=REMOVE_ALL_MESSAGES)]


def _check_answers(items: Sequence[Result], call: ToolCall, messages_key: str) -> None:
    """A list holds one answer; none is needed where a command alone would need none."""
    count = sum(1 for item in items for _ in _answers_in(item, call, messages_key))
    elsewhere = any(
        isinstance(item, Command) and (item.graph is not None or _removes_all(item, messages_key)) for item in items
    )
    if count != 1 and not (count == 0 and elsewhere):
        raise ValueError(
            f"Tool {call['name']} returned a list with {count} messages bound to tool_call_id {call['id']!r}; "
            "expected exactly one terminating ToolMessage."
        )


def _check_answer(command: Command[Any], call: ToolCall, messages_key: str, input_type: str) -> None:
    if command.graph is not None or not isinstance(command.update, dict | list) or _removes_all(command, messages_key):
        return
    if not any(_answers_in(command, call, messages_key)):
        inner = '[ToolMessage("Success", tool_call_id=tool_call_id), ...]'
        example = inner if input_type == "list" else f'{{"{messages_key}": {inner}}}'
        raise ValueError(
            f"Expected to have a matching ToolMessage in Command.update for tool '{call['name']}', "
            f"got: {command.update}. Every tool call (LLM requesting to call a tool) in the message history MUST "
            "have a corresponding ToolMessage. You can fix it by modifying the tool to return "
            f"`Command(update={example}, ...)`."
        )
