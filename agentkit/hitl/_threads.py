"""What waits for a person on a thread, and how to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot

from agentkit import _upstream as up
from agentkit.hitl._answers import AnswerError, Asked, read_answer
from agentkit.hitl._convert import DECISIONS, allowed_by, decision_to_response


@dataclass(frozen=True)
class PendingAction:
    """One action that waits for a person.

    Attributes:
        interrupt_id: The id of the pause it belongs to. A batched pause holds several actions.
        tool: The tool's name, or None where the code of a graph or tool called `interrupt()` itself.
        args: The arguments of the call.
        tool_call_id: The id of the call, or None where the pause doesn't say.
        allowed_decisions: The decisions allowed. Empty where any value is an answer.
        description: What the person is asked.
        where: The agents and nodes it waits in, outermost first. Empty at the top.
        value: The whole value of the pause.
    """

    interrupt_id: str
    tool: str | None
    args: dict[str, Any]
    tool_call_id: str | None
    allowed_decisions: tuple[str, ...]
    description: str
    where: tuple[str, ...] = ()
    value: Any = field(default=None, repr=False, compare=False)


def pending(graph: Any, config: RunnableConfig) -> list[PendingAction]:
    """List every action of a thread that waits for a person, at any depth.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.

    Returns:
        The waiting actions, in the order of the requests. Empty where nothing waits.

    Raises:
        ValueError: If the graph has no checkpointer.

    Example:
        ```python
        for action in pending(agent, config):
            print(action.where, action.tool, action.args, action.allowed_decisions)
        ```
    """
    found = list(_interrupts(graph.get_state(config, subgraphs=True), ()))
    saver = graph.checkpointer
    metadata = {
        name: one.metadata
        for name in _namespaces(found)
        if hasattr(saver, "get_tuple") and (one := saver.get_tuple(_at(config, name))) is not None
    }
    return _actions(found, metadata)


async def apending(graph: Any, config: RunnableConfig) -> list[PendingAction]:
    """Async twin of `pending`.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.

    Returns:
        The waiting actions.

    Raises:
        ValueError: If the graph has no checkpointer.
    """
    found = list(_interrupts(await graph.aget_state(config, subgraphs=True), ()))
    saver = graph.checkpointer
    metadata = {
        name: one.metadata
        for name in _namespaces(found)
        if hasattr(saver, "aget_tuple") and (one := await saver.aget_tuple(_at(config, name))) is not None
    }
    return _actions(found, metadata)


def resume(graph: Any, config: RunnableConfig, decisions: Any, **kwargs: Any) -> Any:
    """Answer what waits on a thread and run on.

    Unlike `graph.invoke(Command(resume=...))` it checks the answer against what waits before anything is
    written, addresses each pause by its id, and refuses what is unknown, answered already or incomplete.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.
        decisions: One of: the answer to the one pause there is, in any form the middleware reads;
            `{"decisions": {tool_call_id: decision}}` for calls of one or several pauses;
            `{interrupt_id: answer}` for one or several pauses.
        **kwargs: Passed to `graph.invoke`.

    Returns:
        What `graph.invoke` returns.

    Raises:
        AnswerError: If the answer can't be taken. Nothing ran.
        ValueError: If the graph has no checkpointer.

    Example:
        ```python
        resume(agent, config, {"decisions": {"call_1": {"type": "approve"}}})
        ```
    """
    answer = command(pending(graph, config), decisions)
    with _refusals():
        return graph.invoke(answer, _strict(config), **kwargs)


async def aresume(graph: Any, config: RunnableConfig, decisions: Any, **kwargs: Any) -> Any:
    """Async twin of `resume`.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.
        decisions: As for `resume`.
        **kwargs: Passed to `graph.ainvoke`.

    Returns:
        What `graph.ainvoke` returns.

    Raises:
        AnswerError: If the answer can't be taken. Nothing ran.
        ValueError: If the graph has no checkpointer.
    """
    answer = command(await apending(graph, config), decisions)
    with _refusals():
        return await graph.ainvoke(answer, _strict(config), **kwargs)


def command(waiting: Sequence[PendingAction], decisions: Any) -> Command[Any]:
    """Build the `Command` that answers pauses, for use with `stream` and the like.

    Args:
        waiting: What `pending` returned.
        decisions: As for `resume`.

    Returns:
        A command whose answers are addressed by interrupt id.

    Raises:
        AnswerError: If the answer can't be taken.
    """
    if not waiting:
        raise AnswerError("nothing waits for an answer on this thread; it may have been answered already.")
    pauses: dict[str, list[PendingAction]] = {}
    for action in waiting:
        pauses.setdefault(action.interrupt_id, []).append(action)
    answers = _address(pauses, decisions)
    return Command(resume={key: _answer(pauses[key], answer) for key, answer in answers.items()})


def _strict(config: RunnableConfig) -> RunnableConfig:
    """Have langgraph check once more that the pauses still wait, where it can."""
    if up.STRICT_RESUME is None:
        return config
    return {**config, "configurable": {**config.get("configurable", {}), up.STRICT_RESUME: True}}


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except up.UnknownInterruptError as error:
        raise AnswerError(f"{error}: it was answered in the meantime. Nothing was run by this answer.") from error


def _address(pauses: Mapping[str, list[PendingAction]], decisions: Any) -> dict[str, Any]:
    """Find out which pause each part of the answer is for."""
    if isinstance(decisions, Mapping) and isinstance(decisions.get("decisions"), Mapping):
        return _address_calls(pauses, decisions["decisions"])
    if _looks_addressed(decisions, pauses):
        unknown = [key for key in decisions if key not in pauses]
        if unknown:
            raise AnswerError(
                f"no pause {', '.join(map(repr, unknown))} waits on this thread (it may have been answered "
                f"already). Waiting: {_list(pauses)}."
            )
        return dict(decisions)
    if len(pauses) > 1:
        raise AnswerError(
            f"{len(pauses)} pauses wait, so say which one is meant: {{interrupt_id: answer}} or "
            f"{{'decisions': {{tool_call_id: decision}}}}. Waiting: {_list(pauses)}."
        )
    return dict.fromkeys(pauses, decisions)


def _looks_addressed(decisions: Any, pauses: Mapping[str, Any]) -> bool:
    if not isinstance(decisions, Mapping) or not decisions:
        return False
    return any(key in pauses for key in decisions) or all(
        isinstance(key, str) and len(key) == 32 and set(key) <= set("0123456789abcdef") for key in decisions
    )


def _address_calls(pauses: Mapping[str, list[PendingAction]], by_call: Mapping[Any, Any]) -> dict[str, dict[str, Any]]:
    answers: dict[str, dict[str, Any]] = {}
    for call_id, decision in by_call.items():
        homes = [key for key, actions in pauses.items() if any(a.tool_call_id == call_id for a in actions)]
        if len(homes) != 1:
            problem = "waits in several pauses; address them by id" if homes else "does not wait"
            raise AnswerError(f"tool call {call_id!r} {problem}. Waiting: {_list(pauses)}.")
        answers.setdefault(homes[0], {"decisions": {}})["decisions"][call_id] = decision
    if not answers:
        raise AnswerError(f"no decision was given. Waiting: {_list(pauses)}.")
    return answers


def _answer(actions: Sequence[PendingAction], answer: Any) -> Any:
    """Check the answer to one pause and write it in the form that pause reads."""
    value = actions[0].value
    if actions[0].tool is None:
        return answer
    asked = [
        Asked(a.tool_call_id or f"#{place}", a.tool or "", a.args, a.allowed_decisions)
        for place, a in enumerate(actions)
    ]
    # A legacy "ignore" that was not offered stays what it is, or the gate would take it for a plain rejection.
    decisions: list[Any] = [
        one if one["type"] in call.allowed else decision_to_response(one)
        for call, one in zip(asked, read_answer(answer, asked), strict=True)
    ]
    if _is_human_interrupts(value):
        return [one if one["type"] == "ignore" else decision_to_response(one) for one in decisions]
    if isinstance(value, Mapping) and value.get("type") == "tool_approval":
        return decisions[0]
    if all(action.tool_call_id is not None for action in actions):
        return {"decisions": {call.id: one for call, one in zip(asked, decisions, strict=True)}}
    return {"decisions": decisions}


def _list(pauses: Mapping[str, list[PendingAction]]) -> str:
    return "; ".join(
        f"{key}: " + ", ".join(f"{a.tool_call_id or '-'} ({a.tool or 'interrupt'})" for a in actions)
        for key, actions in pauses.items()
    )


@dataclass(frozen=True)
class _Found:
    interrupt: Interrupt
    where: tuple[str, ...]
    namespace: str  # of the graph that the node may have called


def _interrupts(state: StateSnapshot, where: tuple[str, ...]) -> Iterator[_Found]:
    """Walk a snapshot, innermost first: a pause bubbles up and shows on every level above it too."""
    prefix = (state.config or {}).get("configurable", {}).get("checkpoint_ns", "")
    for task in state.tasks:
        if task.result and not task.error:  # older langgraph shows what a finished task asked before
            continue
        seen = set()
        if isinstance(task.state, StateSnapshot):
            for found in _interrupts(task.state, (*where, task.name)):
                seen.add(found.interrupt.id)
                yield found
        namespace = f"{prefix}|{task.name}:{task.id}" if prefix else f"{task.name}:{task.id}"
        for interrupt in task.interrupts:
            if interrupt.id not in seen:
                yield _Found(interrupt, (*where, task.name), namespace)


def _namespaces(found: Sequence[_Found]) -> set[str]:
    return {one.namespace for one in found}


def _at(config: RunnableConfig, namespace: str) -> RunnableConfig:
    thread = config.get("configurable", {})["thread_id"]
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace}}


def _actions(found: Sequence[_Found], metadata: Mapping[str, Any]) -> list[PendingAction]:
    actions: list[PendingAction] = []
    for one in found:
        # A node that called another agent left that agent's checkpoint, with its name, below itself.
        inner = metadata.get(one.namespace)
        name = (inner or {}).get("lc_agent_name") or one.where[-1]
        where = (*one.where[:-1], name) if inner is not None else one.where[:-1]
        actions += _read(one.interrupt, where)
    return actions


def _read(interrupt: Interrupt, where: tuple[str, ...]) -> list[PendingAction]:
    value = interrupt.value
    if _is_human_interrupts(value):
        return [
            PendingAction(
                interrupt.id,
                one["action_request"]["action"],
                dict(one["action_request"]["args"]),
                one.get("tool_call_id"),
                tuple(allowed_by(one["config"])),
                one.get("description") or "",
                where,
                value,
            )
            for one in value
        ]
    if isinstance(value, Mapping) and value.get("type") == "tool_approval":
        allowed = value.get("allowed_decisions") or _allowed_in(getattr(interrupt, "response_schema", None))
        description = value.get("description", "")
        return [
            PendingAction(
                interrupt.id,
                value["name"],
                dict(value["args"]),
                value["tool_call_id"],
                tuple(allowed),
                description,
                where,
                value,
            )
        ]
    if isinstance(value, Mapping) and "action_requests" in value and "review_configs" in value:
        return _read_batch(interrupt.id, value, where)
    return [PendingAction(interrupt.id, None, {}, None, (), _describe(value), where, value)]


def _read_batch(interrupt_id: str, value: Mapping[str, Any], where: tuple[str, ...]) -> list[PendingAction]:
    ids = value.get("tool_call_ids") or [None] * len(value["action_requests"])
    return [
        PendingAction(
            interrupt_id,
            action["name"],
            dict(action["args"]),
            call_id,
            tuple(review["allowed_decisions"]),
            action.get("description", ""),
            where,
            value,
        )
        for action, review, call_id in zip(value["action_requests"], value["review_configs"], ids, strict=False)
    ]


def _is_human_interrupts(value: object) -> bool:
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(one, Mapping) and {"action_request", "config"} <= set(one) for one in value)
    )


def _allowed_in(schema: object) -> tuple[str, ...]:
    """The decisions a per-call pause of langchain's own middleware names in its response schema."""
    text = str(schema)
    return tuple(one for one in DECISIONS if f"'{one}'" in text) or DECISIONS


def _describe(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("description") or value.get("message") or value)
    return str(value)
