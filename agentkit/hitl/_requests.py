"""What waits for a person: the interrupts of a state snapshot, read as actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.types import Interrupt, StateSnapshot

from agentkit.hitl._convert import DECISIONS, allowed_by


@dataclass(frozen=True)
class PendingAction:
    """One action that waits for a person.

    Attributes:
        interrupt_id: The id of the interrupt it belongs to. A batched interrupt holds several actions. For a call that
            may have run and that no run has met since, the id of the interrupt it was approved in.
        tool: The tool's name, or None where the code of a graph or tool called `interrupt()` itself.
        args: The arguments of the call.
        tool_call_id: The id of the call, or None where the request doesn't say.
        allowed_decisions: The decisions allowed. Empty where any value is an answer.
        description: What the person reads.
        where: The agents and nodes it waits in, outermost first. Empty at the top.
        value: The whole value of the interrupt.
        request_id: The id of agentkit's request, which binds an answer to what was shown. None for other requests.
        may_have_run: One sentence, where the call was approved and started and has not ended. To approve it once more,
            the decision must say `"again": True`; a `reject` or `respond` needs no such word.
        started_run: What this process can tell about the run that started it: `"running"`, `"over"` or `"unknown"`.
            Empty for a call that was not started.
    """

    interrupt_id: str
    tool: str | None
    args: dict[str, Any]
    tool_call_id: str | None
    allowed_decisions: tuple[str, ...]
    description: str
    where: tuple[str, ...] = ()
    value: Any = field(default=None, repr=False, compare=False)
    request_id: str | None = None
    may_have_run: str = ""
    started_run: str = ""


@dataclass(frozen=True)
class LocatedInterrupt:
    """An interrupt of a thread, and where it was raised."""

    interrupt: Interrupt
    where: tuple[str, ...]
    namespace: str  # of the graph that the node may have called

    @property
    def request_id(self) -> str | None:
        """The id of agentkit's request, or None."""
        found = first_part(self.interrupt.value).get("request_id")
        return found if isinstance(found, str) else None


def interrupts_of(state: StateSnapshot, where: tuple[str, ...] = ()) -> Iterator[LocatedInterrupt]:
    """Walk a snapshot, innermost first: an interrupt bubbles up and shows on every level above it too."""
    prefix = (state.config or {}).get("configurable", {}).get("checkpoint_ns", "")
    for task in state.tasks:
        if task.result and not task.error:  # older langgraph shows the interrupts of a finished task
            continue
        seen = set()
        if isinstance(task.state, StateSnapshot):
            for located in interrupts_of(task.state, (*where, task.name)):
                seen.add(located.interrupt.id)
                yield located
        namespace = f"{prefix}|{task.name}:{task.id}" if prefix else f"{task.name}:{task.id}"
        for interrupt in task.interrupts:
            if interrupt.id not in seen:
                yield LocatedInterrupt(interrupt, (*where, task.name), namespace)


def actions_of(interrupt: Interrupt, where: tuple[str, ...]) -> list[PendingAction]:
    """Read the actions of one interrupt, in any of the schemas."""
    value = interrupt.value
    bound = first_part(value).get("request_id"), first_part(value).get("may_have_run", "")
    if is_human_interrupts(value):
        return [
            PendingAction(
                interrupt.id,
                part["action_request"]["action"],
                dict(part["action_request"]["args"]),
                part.get("tool_call_id"),
                tuple(allowed_by(part["config"])),
                part.get("description") or "",
                where,
                value,
                *bound,
            )
            for part in value
        ]
    if isinstance(value, Mapping) and value.get("type") == "tool_approval":
        allowed = value.get("allowed_decisions") or _allowed_in(getattr(interrupt, "response_schema", None))
        call_id, text = value["tool_call_id"], value.get("description", "")
        args = dict(value["args"])
        return [PendingAction(interrupt.id, value["name"], args, call_id, tuple(allowed), text, where, value, *bound)]
    if isinstance(value, Mapping) and "action_requests" in value and "review_configs" in value:
        ids = value.get("tool_call_ids") or [None] * len(value["action_requests"])
        return [
            PendingAction(
                interrupt.id,
                action["name"],
                dict(action["args"]),
                call_id,
                tuple(review["allowed_decisions"]),
                action.get("description", ""),
                where,
                value,
                *bound,
            )
            for action, review, call_id in zip(value["action_requests"], value["review_configs"], ids, strict=False)
        ]
    return [PendingAction(interrupt.id, None, {}, None, (), _describe(value), where, value)]


def first_part(value: object) -> Mapping[str, Any]:
    """The request, also where the legacy schema wraps it in a list."""
    part = value[0] if isinstance(value, (list, tuple)) and value else value
    return part if isinstance(part, Mapping) else {}


def is_human_interrupts(value: object) -> bool:
    """Whether a value is a list of legacy `HumanInterrupt`s."""
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(part, Mapping) and {"action_request", "config"} <= set(part) for part in value)
    )


def _allowed_in(schema: object) -> Sequence[str]:
    """The decisions that langchain's own per-call request names in its response schema."""
    text = str(schema)
    return tuple(decision for decision in DECISIONS if f"'{decision}'" in text) or DECISIONS


def _describe(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("description") or value.get("message") or value)
    return str(value)
