"""What waits for a person on a thread, how to answer it, and what was decided."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from agentkit import _upstream as up
from agentkit.hitl._answers import AnswerError
from agentkit.hitl._commands import build_command, is_unmet, requests_of
from agentkit.hitl._records import (
    MethodCall,
    Record,
    RecordLocation,
    Steps,
    arun,
    load,
    records_of,
    run,
    sentence_about,
    state_of_run,
)
from agentkit.hitl._requests import PendingAction, actions_of, first_part, interrupts_of


def pending(graph: Any, config: RunnableConfig) -> list[PendingAction]:
    """List every action of a thread that waits for a person, at any depth.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.

    Returns:
        The waiting actions, in the order of the requests, and the calls that may have run. Empty where nothing waits.

    Raises:
        ValueError: If the graph has no checkpointer.

    Example:
        ```python
        for action in pending(agent, config):
            print(action.where, action.tool, action.args, action.allowed_decisions)
        ```
    """
    return run(pending_steps(graph, config))


async def apending(graph: Any, config: RunnableConfig) -> list[PendingAction]:
    """Async twin of `pending`.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.

    Returns:
        The waiting actions.

    Raises:
        ValueError: If the graph has no checkpointer.
    """
    return await arun(pending_steps(graph, config))


def resume(
    graph: Any, config: RunnableConfig, decisions: Any, *, by: str | None = None, note: str | None = None, **kwargs: Any
) -> Any:
    """Answer what waits on a thread and run on.

    Unlike `graph.invoke(Command(resume=...))` it checks the answer against what waits before anything is
    written, addresses each interrupt by its id, binds the answer to what was shown, and refuses what is unknown,
    answered already or incomplete.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.
        decisions: One of: the answer to the one interrupt there is, in any form the middleware reads;
            `{"decisions": {tool_call_id: decision}}` for calls of one or several interrupts;
            `{interrupt_id: answer}` for one or several interrupts.
        by: Who decided, for `history`. Default None.
        note: What they noted, for `history`. Default None.
        **kwargs: Passed to `graph.invoke`.

    Returns:
        What `graph.invoke` returns.

    Raises:
        AnswerError: If the answer can't be taken. It ran nothing.
        ValueError: If the graph has no checkpointer.

    Example:
        ```python
        resume(agent, config, {"decisions": {"call_1": {"type": "approve"}}}, by="ann")
        ```
    """
    with _refusals():
        return run(_resume(graph, config, decisions, by, note, kwargs))


async def aresume(
    graph: Any, config: RunnableConfig, decisions: Any, *, by: str | None = None, note: str | None = None, **kwargs: Any
) -> Any:
    """Async twin of `resume`.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.
        decisions: As for `resume`.
        by: Who decided. Default None.
        note: What they noted. Default None.
        **kwargs: Passed to `graph.ainvoke`.

    Returns:
        What `graph.ainvoke` returns.

    Raises:
        AnswerError: If the answer can't be taken. It ran nothing.
        ValueError: If the graph has no checkpointer.
    """
    with _refusals():
        return await arun(_resume(graph, config, decisions, by, note, kwargs))


def stream(
    graph: Any, config: RunnableConfig, decisions: Any, *, by: str | None = None, note: str | None = None, **kwargs: Any
) -> Iterator[Any]:
    """Answer what waits on a thread and stream the run, with the same checks as `resume`.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.
        decisions: As for `resume`.
        by: Who decided. Default None.
        note: What they noted. Default None.
        **kwargs: Passed to `graph.stream`.

    Yields:
        What `graph.stream` yields.

    Raises:
        AnswerError: If the answer can't be taken. It ran nothing.
        ValueError: If the graph has no checkpointer.

    Example:
        ```python
        for chunk in stream(agent, config, [{"type": "approve"}], stream_mode="updates"):
            print(chunk)
        ```
    """
    with _refusals():
        answer = run(_command(graph, config, decisions, by, note, {}))
        yield from graph.stream(answer, _strict(config), **kwargs)
        _check_taken(answer, run(pending_steps(graph, config)))


async def astream(
    graph: Any, config: RunnableConfig, decisions: Any, *, by: str | None = None, note: str | None = None, **kwargs: Any
) -> AsyncIterator[Any]:
    """Async twin of `stream`.

    Args:
        graph: The compiled agent or graph, or a `RemoteGraph`.
        config: The config with the `thread_id`.
        decisions: As for `resume`.
        by: Who decided. Default None.
        note: What they noted. Default None.
        **kwargs: Passed to `graph.astream`.

    Yields:
        What `graph.astream` yields.

    Raises:
        AnswerError: If the answer can't be taken. It ran nothing.
        ValueError: If the graph has no checkpointer.
    """
    with _refusals():
        answer = await arun(_command(graph, config, decisions, by, note, {}))
        async for chunk in graph.astream(answer, _strict(config), **kwargs):
            yield chunk
        _check_taken(answer, await arun(pending_steps(graph, config)))


@dataclass(frozen=True)
class HistoryEntry:
    """One decision about one tool call.

    Attributes:
        tool: The tool's name.
        args: The arguments that the person was shown.
        tool_call_id: The id of the call.
        decision: The decision, with the edited action or the message if it has one.
        by: Who decided, if that was said.
        note: What they noted, if anything.
        decided_at: When, in ISO form.
        outcome: `"finished"`, `"failed"`, `"interrupted"` (the tool asked a person itself), `"may have run"`,
            `"not started"`, or `"not run"` for a call that was rejected or answered.
    """

    tool: str
    args: dict[str, Any]
    tool_call_id: str
    decision: dict[str, Any]
    by: str | None
    note: str | None
    decided_at: str
    outcome: str


def history(graph: Any, config: RunnableConfig) -> list[HistoryEntry]:
    """List who decided what on a thread, when, and what became of it.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.

    Returns:
        The decisions, the earliest first.

    Raises:
        ValueError: If the graph has no checkpointer of its own.

    Example:
        ```python
        for entry in history(agent, config):
            print(entry.decided_at, entry.by, entry.decision["type"], entry.tool, entry.outcome)
        ```
    """
    return run(_history(graph, config))


async def ahistory(graph: Any, config: RunnableConfig) -> list[HistoryEntry]:
    """Async twin of `history`.

    Args:
        graph: The compiled agent or graph.
        config: The config with the `thread_id`.

    Returns:
        The decisions, the earliest first.

    Raises:
        ValueError: If the graph has no checkpointer of its own.
    """
    return await arun(_history(graph, config))


def _history(graph: Any, config: RunnableConfig) -> Steps[list[HistoryEntry]]:
    saver = _saver_of(graph)
    if saver is None:
        raise ValueError("history() reads the checkpointer of the graph, and this graph has none of its own.")
    records = yield from records_of(saver, config.get("configurable", {})["thread_id"])
    entries = [
        HistoryEntry(
            entry["name"],
            entry["args"],
            entry["id"],
            entry["decision"],
            entry["by"],
            entry["note"],
            entry["at"],
            _outcome(record, key, attempt, entry["decision"]["type"]),
        )
        for record in records.values()
        for (key, attempt), entry in record.decided.items()
    ]
    return sorted(entries, key=lambda entry: entry.decided_at)


def _outcome(record: Record, key: str, attempt: int, kind: str) -> str:
    if kind in ("reject", "respond"):
        return "not run"
    attempts = [number for one, number in record.started if one == key and number >= attempt]
    if not attempts:
        return "not started"
    ended = record.ended.get((key, max(attempts)))
    return "may have run" if ended is None else str(ended["outcome"])


def pending_steps(graph: Any, config: RunnableConfig) -> Steps[list[PendingAction]]:
    state = yield MethodCall(graph, "get_state", (config,), {"subgraphs": True})
    thread_id = str(config.get("configurable", {}).get("thread_id"))
    saver, located = _saver_of(graph), list(interrupts_of(state))
    records: dict[str, Record] = {}
    actions: list[PendingAction] = []
    for one in located:
        where = one.where[:-1]
        record_id = (one.request_id or "").partition("-")[0]
        if saver is not None:
            # A node that called another agent left that agent's checkpoint, with its name, below itself.
            inner = yield MethodCall(saver, "get_tuple", (_at(thread_id, one.namespace),))
            if inner is not None:
                where = (*where, (inner.metadata or {}).get("lc_agent_name") or one.where[-1])
            if record_id and record_id not in records:
                records[record_id] = yield from load(RecordLocation(saver, thread_id, record_id))
        actions += undecided(actions_of(one.interrupt, where), records.get(record_id))
    if saver is not None and state.next and len({a.interrupt_id for a in actions}) < len(state.tasks):
        records |= yield from records_of(saver, thread_id)
    return [*actions, *unseen(records, state.values, {a.tool_call_id for a in actions if a.may_have_run})]


def undecided(actions: Sequence[PendingAction], record: Record | None) -> list[PendingAction]:
    """The actions of one request that no decision was taken about."""
    if record is None:
        return list(actions)
    decided = {entry["id"] for entry in record.decided.values()}
    doubts = {call["id"]: started for call, started in _doubts(record)}
    waiting = [a for a in actions if not a.may_have_run and a.tool_call_id not in decided]
    waiting += [
        replace(action, started_run=state_of_run(doubts[action.tool_call_id]))
        for action in actions
        if action.may_have_run and action.tool_call_id in doubts
    ]
    return waiting


def _doubts(record: Record) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The decided calls that were started and have not ended, each with its start."""
    for key in dict.fromkeys(key for key, _ in record.started):
        started, decision = record.in_doubt(key), record.decision(key)
        if started is not None and decision is not None:
            yield decision, started


def unseen(records: Mapping[str, Record], values: object, shown: set[str | None]) -> Iterator[PendingAction]:
    """The calls that may have run and that no run has met since."""
    messages = values.get("messages", ()) if isinstance(values, Mapping) else ()
    answered = {getattr(message, "tool_call_id", None) for message in messages}
    for record_id, record in records.items():
        for call, started in _doubts(record):
            if call["id"] in shown or call["id"] in answered:
                continue
            sentence = sentence_about(call["name"], call["id"], started)
            allowed = ("approve", "reject", "respond")
            args, run_state = dict(call["args"]), state_of_run(started)
            yield PendingAction(
                record_id, call["name"], args, call["id"], allowed, sentence, (), None, None, sentence, run_state
            )


def _resume(
    graph: Any, config: RunnableConfig, decisions: Any, by: str | None, note: str | None, kwargs: Mapping[str, Any]
) -> Steps[Any]:
    answer = yield from _command(graph, config, decisions, by, note, kwargs)
    try:
        result = yield MethodCall(graph, "invoke", (answer, _strict(config)), kwargs)
    except up.UnknownInterruptError:
        # A run that was killed while its interrupt bubbled up left it on an inner graph only. The gate checks it too.
        still = {action.interrupt_id for action in (yield from pending_steps(graph, config))}
        if not set(answer.resume or ()) <= still:
            raise
        result = yield MethodCall(graph, "invoke", (answer, config), kwargs)
    raised = getattr(result, "interrupts", None) or (
        result.get("__interrupt__") if isinstance(result, Mapping) else None
    )
    _check_taken(answer, [action for one in raised or () for action in actions_of(one, ())])
    return result


def _command(
    graph: Any, config: RunnableConfig, decisions: Any, by: str | None, note: str | None, kwargs: Mapping[str, Any]
) -> Steps[Command[Any]]:
    waiting = yield from pending_steps(graph, config)
    answer = build_command(waiting, decisions, by=by, note=note)
    resume: dict[str, Any] = dict(answer.resume or {})
    not_met = {action.interrupt_id for action in waiting if is_unmet(action)}
    by_call = {key: one for name in not_met & resume.keys() for key, one in resume.pop(name)["decisions"].items()}
    if by_call:
        # The run that started these calls was killed. A run that meets their record asks about them.
        yield MethodCall(graph, "invoke", (None, config), kwargs)
        for action in (yield from pending_steps(graph, config)):
            if action.may_have_run and action.request_id is not None and action.tool_call_id in by_call:
                decision = {"decisions": {action.tool_call_id: by_call[action.tool_call_id]}}
                resume |= build_command([action], decision, by=by, note=note).resume or {}
    if not resume:
        raise AnswerError("nothing asks about these calls any more; look at what waits now.")
    return Command(resume=resume)


def _check_taken(answer: Command[Any], waiting: Sequence[PendingAction]) -> None:
    """Raise what the gate has refused: it asked again with the reason, or about a call that may have run."""
    request_ids, call_ids = requests_of(answer)
    for action in waiting:
        error = first_part(action.value).get("error")
        if error and action.request_id in request_ids:
            raise AnswerError(error)
        if action.may_have_run and action.tool_call_id in call_ids and action.request_id not in request_ids:
            raise AnswerError(f"{action.may_have_run} It was not run again.")


def _strict(config: RunnableConfig) -> RunnableConfig:
    """Have langgraph check once more that the interrupts still wait, where it can."""
    if up.STRICT_RESUME is None:
        return config
    return {**config, "configurable": {**config.get("configurable", {}), up.STRICT_RESUME: True}}


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except up.UnknownInterruptError as error:
        raise AnswerError(f"{error}: it was answered in the meantime. Nothing was run by this answer.") from error


def _saver_of(graph: Any) -> BaseCheckpointSaver[Any] | None:
    saver = getattr(graph, "checkpointer", None)
    return saver if isinstance(saver, BaseCheckpointSaver) else None


def _at(thread_id: str, namespace: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace}}
