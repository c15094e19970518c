"""Reading what a person sent: which decision is meant for which call, and whether it may be taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentkit.hitl._convert import DECISIONS, Decision, response_to_decision

_LEGACY = frozenset({"accept", "ignore", "response"})


class AnswerError(ValueError):
    """An answer to an interrupt can't be taken. It ran nothing; what still waits can be answered again."""


@dataclass(frozen=True)
class ActionReview:
    """One call that a person reviews.

    Attributes:
        id: The tool-call id.
        name: The tool's name.
        args: The call's arguments.
        allowed: The decisions allowed.
        description: What the person reads.
        may_have_run: A sentence, where the call was approved and started before and has not ended.
        key: The identity of the call within its record.
        rule: The permission rule behind the review, with the paths that the call leads to.
    """

    id: str
    name: str
    args: dict[str, Any]
    allowed: tuple[str, ...]
    description: str = ""
    may_have_run: str = ""
    key: str = ""
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.id} ({self.name})"


def request_id_of(answer: object) -> str | None:
    """The id of the request that an answer says it is for, or None."""
    found = answer.get("request_id") if isinstance(answer, Mapping) and "decisions" in answer else None
    return found if isinstance(found, str) else None


def read_answer(answer: object, asked: Sequence[ActionReview]) -> list[Decision]:
    """Read an answer of any form into one decision for each call asked about.

    Args:
        answer: `{"decisions": [...]}`, `{"decisions": {tool_call_id: ...}}`, a list of decisions or of
            legacy `HumanResponse`, or one of either alone.
        asked: The calls, in the order of the request.

    Returns:
        The decisions in the order of `asked`, in today's form.

    Raises:
        AnswerError: If the answer doesn't fit the calls, or a decision is unknown or not allowed.
    """
    return [read_decision(one, call) for one, call in zip(_line_up(answer, asked), asked, strict=True)]


def _line_up(answer: object, asked: Sequence[ActionReview]) -> list[object]:
    if isinstance(answer, Mapping) and "decisions" in answer:
        answer = answer["decisions"]
        if isinstance(answer, Mapping):
            return _by_id(answer, asked)
    elif isinstance(answer, Mapping) and "type" in answer:
        answer = [answer]
    if not isinstance(answer, (list, tuple)):
        raise AnswerError(
            f"{_shown(answer)} is not an answer. {_how(asked)} Legacy answers ([{{'type': 'accept'}}]) are "
            "understood too."
        )
    if len(answer) != len(asked):
        raise AnswerError(f"{len(answer)} decisions were given for {len(asked)} tool calls. {_how(asked)}")
    return list(answer)


def _by_id(answer: Mapping[Any, object], asked: Sequence[ActionReview]) -> list[object]:
    ids = [call.id for call in asked]
    unknown = [key for key in answer if key not in ids]
    missing = [key for key in ids if key not in answer]
    if unknown:
        raise AnswerError(f"no tool call {', '.join(map(repr, unknown))} waits here. {_how(asked)}")
    if missing:
        raise AnswerError(f"there is no decision for {', '.join(map(repr, missing))}. {_how(asked)}")
    return [answer[key] for key in ids]


def _how(asked: Iterable[ActionReview]) -> str:
    waiting = ", ".join(map(str, asked))
    return (
        f"Waiting: {waiting}. Answer {{'decisions': [...]}} with one decision for each, in this order, or "
        "{'decisions': {tool_call_id: decision}}. Nothing was run."
    )


def read_decision(answer: object, call: ActionReview) -> Decision:
    """Read one decision, current or legacy, and check that the call allows it.

    Args:
        answer: The decision as sent.
        call: The call it is meant for.

    Returns:
        The decision in today's form, with nothing else in it.

    Raises:
        AnswerError: If it is not a decision, or not one the call allows.
    """
    if not isinstance(answer, Mapping):
        raise AnswerError(f"{_shown(answer)} is not a decision for {call}. {_allowed(call)}")
    kind = answer.get("type")
    if not isinstance(kind, str):
        raise AnswerError(f"{kind!r} is not a decision for {call}. {_allowed(call)}")
    if call.may_have_run and kind in ("approve", "accept") and answer.get("again") is not True:
        raise AnswerError(f"{call.may_have_run} To run it again, add 'again': True to the decision. Nothing was run.")
    if kind in _LEGACY or (kind == "edit" and "edited_action" not in answer):
        try:
            decision = response_to_decision(answer)
        except ValueError as error:
            raise AnswerError(f"{error} Waiting: {call}.") from error
    else:
        decision = _current(answer, call)
    # Skipping a call is always safe, so a legacy "ignore" that was not offered is a rejection all the same.
    if decision["type"] not in call.allowed and kind != "ignore":
        raise AnswerError(f"{decision['type']!r} is not allowed for {call}. {_allowed(call)}")
    if call.may_have_run:
        decision["again"] = True
    if decision["type"] == "edit":
        _check_action(decision["edited_action"], call)
    return decision


def _current(answer: Mapping[str, Any], call: ActionReview) -> Decision:
    kind, message = answer.get("type"), answer.get("message")
    if message is None and isinstance(answer.get("args"), str):  # agent-inbox: today's type, the text in legacy's place
        message = answer["args"]
    if kind not in DECISIONS:
        raise AnswerError(f"{kind!r} is not a decision for {call}. {_allowed(call)}")
    if kind == "edit":
        return {"type": "edit", "edited_action": answer["edited_action"]}
    if kind == "approve":
        return {"type": "approve"}
    if not isinstance(message, str) and (kind == "respond" or message is not None):
        raise AnswerError(f"the message of the {kind!r} for {call} must be text, got {_shown(message)}.")
    return {"type": kind, "message": message} if message else _without_message(kind, call)


def _without_message(kind: str, call: ActionReview) -> Decision:
    return {"type": "reject"} if kind == "reject" else {"type": kind, "message": ""}


def _check_action(action: object, call: ActionReview) -> None:
    if (
        not isinstance(action, Mapping)
        or not isinstance(action.get("name"), str)
        or not isinstance(action.get("args"), Mapping)
    ):
        raise AnswerError(
            f"the edit for {call} must name the whole call: {{'name': tool, 'args': {{...}}}}, got {_shown(action)}."
        )


def _allowed(call: ActionReview) -> str:
    return f"Allowed: {', '.join(call.allowed)}. Nothing was run; answer again."


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}..."
