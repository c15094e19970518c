"""The values a gate pauses with, and small readers of calls and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from langchain.agents.middleware import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, ToolCall
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agentkit.hitl._answers import Asked
from agentkit.hitl._convert import to_human_interrupt


def batched_request(asked: Sequence[Asked]) -> dict[str, Any]:
    """Write langchain's `HITLRequest`, plus the tool-call ids."""
    return {
        "action_requests": [{"name": one.name, "args": one.args, "description": one.description} for one in asked],
        "review_configs": [{"action_name": one.name, "allowed_decisions": list(one.allowed)} for one in asked],
        "tool_call_ids": [one.id for one in asked],
    }


def single_request(one: Asked) -> dict[str, Any]:
    """Write langchain's `ToolApprovalRequest`, plus the decisions allowed."""
    return {
        "type": "tool_approval",
        "tool_call_id": one.id,
        "name": one.name,
        "args": one.args,
        "description": one.description,
        "allowed_decisions": list(one.allowed),
    }


def legacy_request(one: Asked, turn: Sequence[str]) -> list[dict[str, Any]]:
    """Write the legacy list of one `HumanInterrupt`, plus the ids of the call and of its turn."""
    request = to_human_interrupt(one.name, one.args, one.allowed, one.description)
    return [{**request, "tool_call_id": one.id, "tool_call_ids": list(turn)}]


def answer_schema(one: Asked, tool: BaseTool | None) -> dict[str, Any]:
    """Write the JSON schema of the answers to a per-call pause, as langchain publishes it."""
    branches = [_decision_schema(kind, one, tool) for kind in one.allowed]
    if len(branches) == 1:
        return branches[0]
    return {"discriminator": {"propertyName": "type"}, "oneOf": branches}


def _decision_schema(kind: str, one: Asked, tool: BaseTool | None) -> dict[str, Any]:
    properties: dict[str, Any] = {"type": {"const": kind, "type": "string"}}
    required = ["type"]
    if kind == "edit":
        name = {"const": one.name, "type": "string"}
        properties["edited_action"] = {
            "type": "object",
            "properties": {"name": name, "args": _args_schema(tool)},
            "required": ["name", "args"],
        }
        required.append("edited_action")
    elif kind in ("reject", "respond"):
        properties["message"] = {"type": "string"}
        required += ["message"] if kind == "respond" else []
    return {"type": "object", "title": kind, "properties": properties, "required": required}


def _args_schema(tool: BaseTool | None) -> dict[str, Any]:
    schema = None if tool is None else tool.tool_call_schema
    if isinstance(schema, dict):
        return schema
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema.model_json_schema()
    return {"type": "object"}


def latest(messages: Sequence[AnyMessage]) -> tuple[AIMessage | None, Sequence[AnyMessage]]:
    """Return the latest AI message and what came after it."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, AIMessage):
            return message, messages[place + 1 :]
    return None, []


def id_of(call: ToolCall) -> str:
    """Return the id of a call.

    Raises:
        ValueError: If it has none, so that no answer could ever be matched to it.
    """
    if call["id"] is None:
        raise ValueError(
            f"the model's call of {call['name']!r} needs approval but has no id, so no answer can be matched "
            "to it. Use a chat model that gives tool calls ids."
        )
    return call["id"]


def form_of(call: ToolCall) -> dict[str, Any]:
    """Return what an approval is bound to, as a copy: other middleware may change a call's arguments in place."""
    return {"name": call["name"], "args": deepcopy(call["args"])}


def names_of(request: ToolCallRequest) -> list[str]:
    """The names a call goes by: its own, and that of the tool that will run, which middleware may have changed."""
    names = [request.tool_call["name"], *([] if request.tool is None else [request.tool.name])]
    return list(dict.fromkeys(names))


def edited_call(call: ToolCall, decision: Mapping[str, Any]) -> ToolCall:
    """Return the call in the form the decision gives it."""
    if decision["type"] != "edit":
        return call
    action = decision["edited_action"]
    return ToolCall(name=action["name"], args=deepcopy(dict(action["args"])), id=call["id"], type="tool_call")
