"""Pure conversions between today's human-in-the-loop schema and the legacy inbox schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from agentkit.hitl._types import ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse

Decision = dict[str, Any]
"""One decision: `{"type": "approve" | "edit" | "reject" | "respond", ...}`."""

DECISIONS: tuple[str, ...] = ("approve", "edit", "reject", "respond")

_FLAGS = {
    "approve": "allow_accept",
    "edit": "allow_edit",
    "reject": "allow_ignore",
    "respond": "allow_respond",
}


def to_human_interrupt(
    name: str, args: Mapping[str, Any], allowed: Iterable[str], description: str | None = None
) -> HumanInterrupt:
    """Write one waiting action in the legacy schema.

    Args:
        name: The tool's name.
        args: The call's arguments.
        allowed: The decisions allowed.
        description: What the person reads. Default None.

    Returns:
        The request. The legacy protocol passes it to `interrupt` in a list of one.
    """
    offered = set(allowed)
    flags = {flag: decision in offered for decision, flag in _FLAGS.items()}
    return HumanInterrupt(
        action_request=ActionRequest(action=name, args=dict(args)),
        config=cast(HumanInterruptConfig, flags),
        description=description,
    )


def allowed_by(config: Mapping[str, Any]) -> list[str]:
    """Return the decisions that a legacy `HumanInterruptConfig` offers."""
    return [decision for decision, flag in _FLAGS.items() if config.get(flag)]


def request_to_interrupts(request: Mapping[str, Any]) -> list[HumanInterrupt]:
    """Convert a `HITLRequest` to one `HumanInterrupt` for each of its actions.

    Args:
        request: The value of a batched pause.

    Returns:
        The actions in the same order.

    Example:
        ```python
        interrupts_to_request(request_to_interrupts(request)) == request
        ```
    """
    actions = request["action_requests"]
    return [
        to_human_interrupt(
            action["name"],
            action["args"],
            _config_of(request, place)["allowed_decisions"],
            action.get("description"),
        )
        for place, action in enumerate(actions)
    ]


def _config_of(request: Mapping[str, Any], place: int) -> Mapping[str, Any]:
    """The review config of an action: the one in its place, else the one with its name."""
    name = request["action_requests"][place]["name"]
    configs: Sequence[Mapping[str, Any]] = request["review_configs"]
    if place < len(configs) and configs[place]["action_name"] == name:
        return configs[place]
    return next((one for one in configs if one["action_name"] == name), {"allowed_decisions": []})


def interrupts_to_request(interrupts: Iterable[HumanInterrupt]) -> dict[str, Any]:
    """Convert legacy requests to one `HITLRequest`.

    Args:
        interrupts: The legacy requests.

    Returns:
        The request, with the actions in the same order.
    """
    request: dict[str, Any] = {"action_requests": [], "review_configs": []}
    for one in interrupts:
        name, description = one["action_request"]["action"], one.get("description")
        action: dict[str, Any] = {"name": name, "args": one["action_request"]["args"]}
        if description is not None:
            action["description"] = description
        request["action_requests"].append(action)
        request["review_configs"].append({"action_name": name, "allowed_decisions": allowed_by(one["config"])})
    return request


def approval_to_interrupt(request: Mapping[str, Any], allowed: Iterable[str] | None = None) -> HumanInterrupt:
    """Convert a `ToolApprovalRequest`, the value of a per-call pause, to the legacy schema.

    Args:
        request: The request.
        allowed: The decisions allowed. Default: what the request says, else all four.

    Returns:
        The legacy request. It has no place for the tool-call id.
    """
    offered = request.get("allowed_decisions", DECISIONS) if allowed is None else allowed
    return to_human_interrupt(request["name"], request["args"], offered, request["description"])


def interrupt_to_approval(interrupt: HumanInterrupt, tool_call_id: str) -> dict[str, Any]:
    """Convert a legacy request to a `ToolApprovalRequest`.

    Args:
        interrupt: The legacy request.
        tool_call_id: The id of the call that waits.

    Returns:
        The request, with the decisions allowed under `allowed_decisions`.
    """
    return {
        "type": "tool_approval",
        "tool_call_id": tool_call_id,
        "name": interrupt["action_request"]["action"],
        "args": interrupt["action_request"]["args"],
        "description": interrupt.get("description") or "",
        "allowed_decisions": allowed_by(interrupt["config"]),
    }


def response_to_decision(response: Mapping[str, Any]) -> Decision:
    """Convert a legacy `HumanResponse` to a decision.

    Args:
        response: The answer. The `args` of an accept are never used as arguments.

    Returns:
        The decision: accept approves, ignore rejects, response responds, edit edits.

    Raises:
        ValueError: If it is not a legacy answer.
    """
    kind, args = response.get("type"), response.get("args")
    if kind == "accept":
        return {"type": "approve"}
    if kind == "ignore":
        return {"type": "reject", "message": args} if isinstance(args, str) and args else {"type": "reject"}
    if kind == "response" and isinstance(args, str):
        return {"type": "respond", "message": args}
    if kind == "edit" and isinstance(args, Mapping) and {"action", "args"} <= set(args):
        return {"type": "edit", "edited_action": {"name": args["action"], "args": args["args"]}}
    raise ValueError(
        f"{response!r} is not a HumanResponse: 'accept' and 'ignore' need nothing more, 'response' needs "
        "a text in 'args', 'edit' needs {'action': ..., 'args': {...}} in 'args'."
    )


def decision_to_response(decision: Mapping[str, Any]) -> HumanResponse:
    """Convert a decision to a legacy `HumanResponse`.

    Args:
        decision: The decision.

    Returns:
        The answer, which `response_to_decision` turns back into the same decision.

    Raises:
        ValueError: If it is not a decision.
    """
    kind = decision.get("type")
    if kind == "approve":
        return HumanResponse(type="accept", args=None)
    if kind == "reject":
        return HumanResponse(type="ignore", args=decision.get("message") or None)
    if kind == "respond":
        return HumanResponse(type="response", args=decision["message"])
    if kind == "edit":
        edited = decision["edited_action"]
        return HumanResponse(type="edit", args=ActionRequest(action=edited["name"], args=edited["args"]))
    raise ValueError(f"{decision!r} is not a decision: its type is not one of {', '.join(DECISIONS)}.")
