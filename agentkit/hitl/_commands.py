"""Building the `Command` that answers interrupts: which answer is for which, and in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import Command

from agentkit.hitl._answers import ActionReview, AnswerError, read_answer
from agentkit.hitl._convert import decision_to_response
from agentkit.hitl._requests import PendingAction, is_human_interrupts


def command(
    waiting: Sequence[PendingAction], decisions: Any, *, by: str | None = None, note: str | None = None
) -> Command[Any]:
    """Build the `Command` that answers interrupts, bound to what was shown.

    Args:
        waiting: What `pending` returned.
        decisions: As for `resume`.
        by: Who decided. Default None.
        note: What they noted. Default None.

    Returns:
        A command whose answers are addressed by interrupt id. Sent twice, or after someone else's answer, it is not
        taken.

    Raises:
        AnswerError: If the answer can't be taken.

    Example:
        ```python
        answer = command(pending(agent, config), [{"type": "approve"}])
        for chunk in agent.stream(answer, config):
            print(chunk)
        ```
    """
    unmet = [action for action in waiting if is_unmet(action)]
    answer = build_command(waiting, decisions, by=by, note=note)
    if any(action.interrupt_id in requests_of(answer)[0] for action in unmet):
        raise AnswerError(
            f"{unmet[0].may_have_run} No run has asked about it yet: answer with resume(), or run on with "
            "agent.invoke(None, config) and look again."
        )
    return answer


def is_unmet(action: PendingAction) -> bool:
    """Whether this is a call that may have run and that no run has met since, so that no interrupt asks about it."""
    return bool(action.may_have_run) and action.request_id is None


def build_command(
    waiting: Sequence[PendingAction], decisions: Any, *, by: str | None = None, note: str | None = None
) -> Command[Any]:
    """Build the command also for calls that no interrupt asks about yet, under the id of their record."""
    if not waiting:
        raise AnswerError("nothing waits for an answer on this thread; it may have been answered already.")
    interrupts: dict[str, list[PendingAction]] = {}
    for action in waiting:
        interrupts.setdefault(action.interrupt_id, []).append(action)
    answers = _address(interrupts, decisions)
    signature = {key: value for key, value in (("by", by), ("note", note)) if value is not None}
    return Command(resume={key: _answer(interrupts[key], answer, signature) for key, answer in answers.items()})


def requests_of(answer: Command[Any]) -> tuple[set[str | None], set[str | None]]:
    """The ids of the requests and of the tool calls that a command answers."""
    resume = answer.resume if isinstance(answer.resume, Mapping) else {}
    parts = {key: part for key, part in resume.items() if isinstance(part, Mapping) and "request_id" in part}
    ids = {part["request_id"] or key for key, part in parts.items()}
    return ids, {call_id for part in parts.values() for call_id in part["decisions"]}


def _address(interrupts: Mapping[str, list[PendingAction]], decisions: Any) -> dict[str, Any]:
    """Find out which interrupt each part of the answer is for."""
    if isinstance(decisions, Mapping) and isinstance(decisions.get("decisions"), Mapping):
        return _address_calls(interrupts, decisions["decisions"])
    if _looks_addressed(decisions, interrupts):
        unknown = [key for key in decisions if key not in interrupts]
        if unknown:
            raise AnswerError(
                f"no interrupt {', '.join(map(repr, unknown))} waits on this thread (it may have been answered "
                f"already). Waiting: {_list(interrupts)}."
            )
        return dict(decisions)
    if len(interrupts) > 1:
        raise AnswerError(
            f"{len(interrupts)} interrupts wait, so say which one is meant: {{interrupt_id: answer}} or "
            f"{{'decisions': {{tool_call_id: decision}}}}. Waiting: {_list(interrupts)}."
        )
    return dict.fromkeys(interrupts, decisions)


def _looks_addressed(decisions: Any, interrupts: Mapping[str, Any]) -> bool:
    if not isinstance(decisions, Mapping) or not decisions:
        return False
    return any(key in interrupts for key in decisions) or all(
        isinstance(key, str) and len(key) == 32 and set(key) <= set("0123456789abcdef") for key in decisions
    )


def _address_calls(
    interrupts: Mapping[str, list[PendingAction]], by_call: Mapping[Any, Any]
) -> dict[str, dict[str, Any]]:
    answers: dict[str, dict[str, Any]] = {}
    for call_id, decision in by_call.items():
        homes = [key for key, actions in interrupts.items() if any(a.tool_call_id == call_id for a in actions)]
        if len(homes) != 1:
            problem = "waits in several interrupts; address them by id" if homes else "does not wait"
            raise AnswerError(f"tool call {call_id!r} {problem}. Waiting: {_list(interrupts)}.")
        answers.setdefault(homes[0], {"decisions": {}})["decisions"][call_id] = decision
    if not answers:
        raise AnswerError(f"no decision was given. Waiting: {_list(interrupts)}.")
    return answers


def _answer(actions: Sequence[PendingAction], answer: Any, signature: Mapping[str, Any]) -> Any:
    """Check the answer to one interrupt and write it in the form that its gate reads."""
    value = actions[0].value
    if actions[0].tool is None:
        return answer
    for action in actions:
        if action.started_run == "running":
            raise AnswerError(f"{action.may_have_run} Its run is still going on; nothing was run by this answer.")
    reviews = [
        ActionReview(
            f"#{index}" if action.tool_call_id is None else action.tool_call_id,
            action.tool or "",
            action.args,
            action.allowed_decisions,
            may_have_run=action.may_have_run,
        )
        for index, action in enumerate(actions)
    ]
    read = read_answer(answer, reviews)
    if actions[0].request_id or actions[0].may_have_run:
        decisions = {
            review.id: {**one, "again": True} if action.may_have_run else _offered(one, review)
            for action, review, one in zip(actions, reviews, read, strict=True)
        }
        return {"decisions": decisions, "request_id": actions[0].request_id, **signature}
    offered = [_offered(one, review) for review, one in zip(reviews, read, strict=True)]
    if is_human_interrupts(value):
        return [one if one["type"] == "ignore" else decision_to_response(one) for one in offered]
    if isinstance(value, Mapping) and value.get("type") == "tool_approval":
        return offered[0]
    return {"decisions": offered}


def _offered(decision: Any, review: ActionReview) -> Any:
    """A legacy "ignore" that was not offered stays what it is, or the gate would take it for a plain rejection."""
    return decision if decision["type"] in review.allowed else decision_to_response(decision)


def _list(interrupts: Mapping[str, list[PendingAction]]) -> str:
    return "; ".join(
        f"{key}: " + ", ".join(f"{a.tool_call_id or '-'} ({a.tool or 'interrupt'})" for a in actions)
        for key, actions in interrupts.items()
    )
