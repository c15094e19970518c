"""The threads of a saver that wait for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.types import Interrupt

from agentkit import _upstream as up
from agentkit.hitl._records import (
    ENDED,
    NAMESPACE,
    STARTED,
    ListCall,
    MethodCall,
    Record,
    RecordLocation,
    Steps,
    arun,
    load,
    parse,
    records_of,
    run,
)
from agentkit.hitl._requests import PendingAction, actions_of
from agentkit.hitl._threads import pending_steps, undecided, unseen


@dataclass(frozen=True)
class WaitingThread:
    """A thread that waits for a person.

    Attributes:
        thread_id: The thread.
        state: `"waiting"`, or `"may have run"` where a call was approved and started and has not ended.
        checkpoint_id: Its latest checkpoint. That of the last entry is the `before` of the next page.
        actions: What waits, as `pending` lists it. Without the agent it isn't known where in the agent.
        problem: Why the agent can't open the thread, if it can't. Empty otherwise.
    """

    thread_id: str
    state: Literal["waiting", "may have run"]
    checkpoint_id: str
    actions: tuple[PendingAction, ...]
    problem: str = ""


def waiting(
    saver: BaseCheckpointSaver[Any],
    agent: Any = None,
    thread: str | None = None,
    limit: int | None = None,
    before: str | None = None,
) -> list[WaitingThread]:
    """List the threads of a saver that wait for a person, the latest first.

    On SQLite and PostgreSQL it finds them by index, and reads the latest checkpoint of those alone. Any other saver
    lists all that it has.

    Args:
        saver: The checkpointer.
        agent: The agent whose threads they are. With it, `actions` says where in the agent they wait, and a thread that
            it can't open is listed with the reason. Default None.
        thread: Look at this thread only. Default None.
        limit: How many threads to list. Default all.
        before: The `checkpoint_id` of the last entry of the page before. Default None, which is the first page.

    Returns:
        The threads.

    Example:
        ```python
        page = waiting(saver, limit=20)
        for entry in page:
            print(entry.thread_id, entry.state, [action.tool for action in entry.actions])
        next_page = waiting(saver, limit=20, before=page[-1].checkpoint_id)
        ```
    """
    return run(_waiting(saver, agent, thread, limit, before))


async def awaiting(
    saver: BaseCheckpointSaver[Any],
    agent: Any = None,
    thread: str | None = None,
    limit: int | None = None,
    before: str | None = None,
) -> list[WaitingThread]:
    """Async twin of `waiting`.

    Args:
        saver: The checkpointer.
        agent: The agent whose threads they are. Default None.
        thread: Look at this thread only. Default None.
        limit: How many threads to list. Default all.
        before: The `checkpoint_id` of the last entry of the page before. Default None.

    Returns:
        The threads.
    """
    return await arun(_waiting(saver, agent, thread, limit, before))


def _waiting(
    saver: BaseCheckpointSaver[Any], agent: Any, thread: str | None, limit: int | None, before: str | None
) -> Steps[list[WaitingThread]]:
    tables = up.saver_tables(saver)
    found: list[WaitingThread] = []
    if tables is not None:
        rows = yield MethodCall(tables, "unfinished", ((NAMESPACE, STARTED, ENDED), thread, before))
    else:
        config: RunnableConfig | None = None if thread is None else {"configurable": {"thread_id": thread}}
        rows = _unfinished((yield ListCall(saver, config)), before)
    for thread_id, checkpoint_id, in_doubt in rows:
        if limit is not None and len(found) >= limit:
            break
        entry = yield from _read(saver, agent, thread_id, checkpoint_id, in_doubt)
        if entry is not None:
            found.append(entry)
    return found


def _unfinished(tuples: Sequence[CheckpointTuple], before: str | None) -> list[tuple[str, str, bool]]:
    """What `SaverTables.unfinished` finds, from all checkpoints of a saver."""
    latest: dict[str, CheckpointTuple] = {}
    doubts = set()
    for found in tuples:
        at = found.config["configurable"]
        record = parse(found) if at.get("checkpoint_ns") == NAMESPACE else Record()
        if len(record.started) > len(record.ended):
            doubts.add(at["thread_id"])
        known = latest.get(at["thread_id"])
        newer = known is None or found.checkpoint["id"] > known.checkpoint["id"]
        if not at.get("checkpoint_ns") and newer:
            latest[at["thread_id"]] = found
    rows = [
        (thread_id, found.checkpoint["id"], thread_id in doubts)
        for thread_id, found in latest.items()
        if thread_id in doubts or any(_interrupts(found))
    ]
    return sorted((row for row in rows if not before or row[1] < before), key=lambda row: row[1], reverse=True)


def _interrupts(found: CheckpointTuple) -> Iterator[Interrupt]:
    """The interrupts of a checkpoint's tasks that have not finished since."""
    writes = found.pending_writes or ()
    finished = {task for task, channel, _ in writes if channel not in up.TASK_MARKS}
    for task, channel, value in writes:
        if channel == up.INTERRUPT and task not in finished:
            yield from value if isinstance(value, (list, tuple)) else [value]


def _read(
    saver: BaseCheckpointSaver[Any], agent: Any, thread_id: str, checkpoint_id: str, in_doubt: bool
) -> Steps[WaitingThread | None]:
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id, "checkpoint_ns": "", "checkpoint_id": checkpoint_id}
    }
    found = yield MethodCall(saver, "get_tuple", (config,))
    if found is None:
        return None
    actions, problem = (yield from _actions(saver, found, thread_id, in_doubt)), ""
    if actions and agent is not None:
        try:
            seen = yield from pending_steps(agent, {"configurable": {"thread_id": thread_id}})
        except ValueError as error:
            problem = str(error)
        else:
            foreign = not seen and any(action.request_id or not action.may_have_run for action in actions)
            problem = "Another agent's thread: this agent does not see what waits on it." if foreign else ""
            actions = actions if foreign else seen
    if not actions:
        return None
    state: Literal["waiting", "may have run"] = (
        "may have run" if any(action.may_have_run for action in actions) else "waiting"
    )
    return WaitingThread(thread_id, state, checkpoint_id, tuple(actions), problem)


def _actions(
    saver: BaseCheckpointSaver[Any], found: CheckpointTuple, thread_id: str, in_doubt: bool
) -> Steps[list[PendingAction]]:
    """What waits on a thread, as `pending` finds it, without the agent."""
    records = (yield from records_of(saver, thread_id)) if in_doubt else {}
    actions: list[PendingAction] = []
    for interrupt in _interrupts(found):
        asked = actions_of(interrupt, ())
        record_id = (asked[0].request_id or "").partition("-")[0] if asked else ""
        if record_id and record_id not in records:
            records[record_id] = yield from load(RecordLocation(saver, thread_id, record_id))
        actions += undecided(asked, records.get(record_id))
    shown = {action.tool_call_id for action in actions if action.may_have_run}
    return [*actions, *unseen(records, found.checkpoint["channel_values"], shown)]
