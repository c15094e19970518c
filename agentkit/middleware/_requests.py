"""The values a gate interrupts with, and small readers of calls and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal

from langchain.agents.middleware import ToolCallRequest
from langchain_core.messages import AIMessage, AnyMessage, ToolCall
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agentkit.hitl._answers import ActionReview
from agentkit.hitl._convert import to_human_interrupt


def write_request(
    schema: Literal["hitl", "tool_approval", "human_interrupt"],
    reviews: Sequence[ActionReview],
    *,
    request_id: str | None = None,
    error: str = "",
    turn: Sequence[str] = (),
) -> Any:
    """Write the value of an interrupt: one of upstream's three requests, plus what binds an answer to it.

    Args:
        schema: `"hitl"` is langchain's `HITLRequest`, `"tool_approval"` its `ToolApprovalRequest`,
            `"human_interrupt"` the legacy list of one `HumanInterrupt`.
        reviews: The calls it shows. Only `"hitl"` shows several.
        request_id: The id of the request, which answers carry.
        error: Why the answer before was not taken.
        turn: The ids of all calls of the turn that are reviewed one by one.

    Returns:
        The request.
    """
    first = reviews[0]
    more = {"request_id": request_id, "error": error, "may_have_run": first.may_have_run}
    binding = {key: value for key, value in more.items() if value}
    if schema == "hitl":
        return {
            "action_requests": [{"name": r.name, "args": r.args, "description": r.description} for r in reviews],
            "review_configs": [{"action_name": r.name, "allowed_decisions": list(r.allowed)} for r in reviews],
            "tool_call_ids": [review.id for review in reviews],
            **({"turn_ids": list(turn)} if turn else {}),
            **binding,
        }
    if schema == "human_interrupt":
        legacy = to_human_interrupt(first.name, first.args, first.allowed, first.description)
        return [{**legacy, "tool_call_id": first.id, "tool_call_ids": list(turn or [first.id]), **binding}]
    return {
        "type": "tool_approval",
        "tool_call_id": first.id,
        "name": first.name,
        "args": first.args,
        "description": first.description,
        "allowed_decisions": list(first.allowed),
        **binding,
    }


def answer_schema(review: ActionReview, tool: BaseTool | None) -> dict[str, Any]:
    """Write the JSON schema of the answers to a per-call interrupt, as langchain publishes it."""
    branches = [_decision_schema(kind, review, tool) for kind in review.allowed]
    if len(branches) == 1:
        return branches[0]
    return {"discriminator": {"propertyName": "type"}, "oneOf": branches}


def _decision_schema(kind: str, review: ActionReview, tool: BaseTool | None) -> dict[str, Any]:
    properties: dict[str, Any] = {"type": {"const": kind, "type": "string"}}
    required = ["type"]
    if kind == "edit":
        name = {"const": review.name, "type": "string"}
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
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, AIMessage):
            return message, messages[index + 1 :]
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
