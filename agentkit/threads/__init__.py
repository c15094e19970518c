"""Move stored threads of the legacy agent to an agent with other nodes, such as bare `create_agent`.

`agentkit.prebuilt.create_react_agent` needs none of this: it resumes legacy threads as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from agentkit import _checked as _checked

# isort: split
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph

from agentkit.threads._places import Graph, places
from agentkit.threads._plan import RefusedError, Rules, node_names, plan, put, waits_at

__all__ = ["MoveReport", "amove", "move"]

Saver = BaseCheckpointSaver[Any]

_COPY = ":before-move"
_MOVING = ":moving"


@dataclass(frozen=True)
class MoveReport:
    """What `move` did, or would do, with one thread.

    Attributes:
        thread_id: The thread.
        outcome: "moved", "unchanged" (nothing to do), "refused" (it can't be moved, and was left as it is) or "failed"
            (writing it failed; the reason says where the original is).
        waits_at: The nodes it waited at; empty for a finished thread. A node of a sub-graph follows the node that the
            sub-graph is, as in "worker|tools".
        goes_to: The nodes it waits at afterwards.
        reason: Why it was not moved, where that is not plain.
        copy_id: The thread that holds the untouched original; empty where nothing was written.
    """

    thread_id: str
    outcome: str
    waits_at: tuple[str, ...] = ()
    goes_to: tuple[str, ...] = ()
    reason: str = ""
    copy_id: str = ""


def move(
    saver: Saver,
    graph: CompiledStateGraph[Any, Any, Any, Any],
    *,
    thread_ids: Iterable[str] | None = None,
    nodes: Mapping[str, str] | None = None,
    drop: Iterable[str] = (),
    write: bool = False,
) -> list[MoveReport]:
    """Move threads that the legacy agent stored to a graph in which nodes have other names.

    langgraph loses such a thread: one that waits at `agent` ends in silence, and one that the legacy
    agent ever paused or finished can never again pass `interrupt_before` of `create_agent`. `move`
    renames the nodes in every checkpoint of the thread, so that it waits at the same place, with its
    history and the results of its finished tools. `agent` becomes the node at which the graph's loop begins:
    its first `before_model` node, or `model`. A legacy agent that is a node of another graph is moved with the
    thread of that graph; one that waits and was stored by langgraph 0.2 is refused, for langgraph would begin it anew.

    A thread that waits before `tools` with calls that a node of the graph reviews after the model (such as
    `HumanInTheLoopMiddleware`) and has not seen is put back to that review, also where its nodes keep their names.
    Older checkpoints of the thread are not: whoever goes on from one that waits before `tools` runs those tools
    without a review. A move that was cut off is taken up again from the copy of the original.

    A thread that can't be moved is refused with the reason and left as it is.

    Args:
        saver: Where the threads are stored. It must support deleting threads.
        graph: The agent they are to go on with. Its own checkpointer is not used.
        thread_ids: The threads to move. Defaults to all whose nodes and tool calls are those of such an agent.
        nodes: New names of nodes by old name. Defaults to none: `agent` becomes the node at which the loop begins,
            unless the graph has a node `agent`, and the others keep their names.
        drop: State keys that the new agent does not have and that may be left out. Defaults to none.
        write: Whether to change anything. Defaults to False, which only reports. With True the original
            of each thread that is moved is kept in the same saver, as the thread that `copy_id` names.

    Returns:
        One report for each thread, in the order of their ids.

    Raises:
        TypeError: `thread_ids` or `drop` is one string.
        ValueError: `nodes` leads to a node that neither the graph nor a sub-graph has, the saver can't delete threads,
            or it can't list them.

    Example:
        ```python
        agent = create_agent(model, tools, interrupt_before=["tools"])
        for report in move(saver, agent):
            print(report)  # nothing was written yet
        move(saver, agent, write=True)
        ```
    """
    for name, given in (("thread_ids", thread_ids), ("drop", drop)):
        if isinstance(given, str):
            raise TypeError(f"{name} takes a list of strings, such as [{given!r}], not the string {given!r}")
    _check_nodes(graph, nodes or {})
    named = None if thread_ids is None else sorted(set(thread_ids))
    stored = _thread_ids(saver, named)
    unfinished = _unfinished(stored)
    if write:
        _check_that_it_deletes(saver)
    rules = Rules(dict(nodes or {}), frozenset(drop), named=named is not None)
    wanted = named if named is not None else sorted({*unfinished, *(each for each in stored if _COPY not in each)})
    return [_move_one(saver, graph, each, unfinished.get(each, ""), rules, write) for each in wanted]


async def amove(saver: Saver, graph: CompiledStateGraph[Any, Any, Any, Any], **options: Any) -> list[MoveReport]:
    """Do what `move` does, with an async saver such as `AsyncSqliteSaver`.

    Args:
        saver: Where the threads are stored.
        graph: The agent they are to go on with.
        **options: Those of `move`.

    Returns:
        One report for each thread.

    Example:
        ```python
        async with AsyncSqliteSaver.from_conn_string("threads.sqlite") as saver:
            await amove(saver, agent, write=True)
        ```
    """
    # Async savers serve their sync methods to every thread but the loop's own.
    return await asyncio.to_thread(partial(move, saver, graph, **options))


def _check_nodes(graph: Graph, nodes: Mapping[str, str]) -> None:
    known = set(graph.nodes)
    for _, subgraph in graph.get_subgraphs(recurse=True):
        known |= set(getattr(subgraph, "nodes", ()))
    for old, new in nodes.items():
        if new not in known:
            raise ValueError(f"nodes={{{old!r}: {new!r}}}: the graph has no such node. It has: {node_names(graph)}.")


def _check_that_it_deletes(saver: Saver) -> None:
    """Delete a thread that no saver has, to find out before anything is written."""
    try:
        saver.delete_thread(f"{_COPY}-none")
    except NotImplementedError:
        raise ValueError(
            f"{type(saver).__name__} can't delete threads, which moving takes; nothing was written. Copy the threads "
            "to a saver that can, such as SqliteSaver, and move them there."
        ) from None


def _thread_ids(saver: Saver, named: list[str] | None) -> list[str]:
    if isinstance(saver, SqliteSaver):
        # Reads no checkpoint, so that one that can't be read does not hide the others.
        with saver.cursor(transaction=False) as cursor:
            return [str(row[0]) for row in cursor.execute("SELECT DISTINCT thread_id FROM checkpoints")]
    try:
        return sorted({str(entry.config["configurable"]["thread_id"]) for entry in saver.list(None)})
    except Exception as error:
        if named is not None:
            return []
        raise ValueError(f"the threads can't be listed ({_said(error)}); name them with thread_ids=") from error


def _unfinished(stored: list[str]) -> dict[str, str]:
    """The threads whose move was cut off, with the marks that it left."""
    marks = [thread_id for thread_id in stored if thread_id.endswith(_MOVING)]
    return {mark.rpartition(_COPY)[0]: mark for mark in marks}


def _move_one(saver: Saver, graph: Graph, thread_id: str, mark: str, rules: Rules, write: bool) -> MoveReport:
    cut_off = ""
    try:
        history = _history(saver, thread_id)
        if mark:
            copy_id, end = mark.removesuffix(_MOVING), _history(saver, mark)[-1].checkpoint["id"]
            ids = {entry.checkpoint["id"] for entry in history}
            if end not in ids and any(each > end for each in ids):
                reason = f"a move of it was cut off, and it went on since; what it was before is in {copy_id!r}"
                return MoveReport(thread_id, "refused", reason=f"{reason}. Delete {mark!r} to keep it as it is")
            if not any(each > end for each in ids):
                history, cut_off = _history(saver, copy_id), copy_id
        waited = waits_at(places(graph, history))
    except Exception as error:  # noqa: BLE001 - one unreadable thread must not hide the others
        return MoveReport(thread_id, "refused", reason=f"it can't be read: {_said(error)}")
    if not history:
        return MoveReport(thread_id, "refused", reason="there is no such thread")
    try:
        todo = plan(saver, graph, thread_id, history, rules)
    except RefusedError as refusal:
        return MoveReport(thread_id, "refused", waited, reason=str(refusal))
    except Exception as error:  # noqa: BLE001
        return MoveReport(thread_id, "refused", waited, reason=f"trying it in memory failed: {_said(error)}")
    if todo.moved is None and not cut_off:
        return MoveReport(thread_id, "unchanged", waited, waited, todo.reason)
    reason = f"an earlier move of it was cut off; taken up from {cut_off!r}" if cut_off else ""
    moved, goes_to = (history, waited) if todo.moved is None else (todo.moved, todo.goes_to)
    if not write:
        return MoveReport(thread_id, "moved", waited, goes_to, reason)
    copy_id = cut_off or f"{thread_id}{_COPY}-{places(graph, history)[''].latest.checkpoint['id']}"
    try:
        if not cut_off:
            _keep_a_copy(saver, copy_id, history)
    except Exception as error:  # noqa: BLE001
        return MoveReport(thread_id, "refused", waited, reason=f"its copy could not be written: {_said(error)}")
    failure = _write(saver, thread_id, copy_id, history, moved)
    if failure:
        return MoveReport(thread_id, "failed", waited, reason=failure, copy_id=copy_id)
    return MoveReport(thread_id, "moved", waited, goes_to, reason, copy_id)


def _history(saver: Saver, thread_id: str) -> list[CheckpointTuple]:
    """All checkpoints of a thread and of its sub-graphs, oldest first."""
    return list(saver.list({"configurable": {"thread_id": thread_id}}))[::-1]


def _keep_a_copy(saver: Saver, copy_id: str, history: list[CheckpointTuple]) -> None:
    put(saver, copy_id, history)
    if len(_history(saver, copy_id)) != len(history):
        raise RuntimeError("the copy is incomplete")


def _write(
    saver: Saver, thread_id: str, copy_id: str, history: list[CheckpointTuple], moved: list[CheckpointTuple]
) -> str:
    """Put the moved thread in the place of the original; returns what failed.

    A mark with the last checkpoint to be written stands beside the copy as long as this is not done: a process
    that is killed here leaves it, and the next move goes by it.
    """
    mark = f"{copy_id}{_MOVING}"
    try:
        put(saver, mark, [max(moved, key=lambda entry: str(entry.checkpoint["id"]))])
        saver.delete_thread(thread_id)
        put(saver, thread_id, moved)
        saver.delete_thread(mark)
    except BaseException as error:
        undone = _restore(saver, thread_id, copy_id, history)
        if not isinstance(error, Exception):
            raise
        return f"writing it failed ({_said(error)}); {undone}"
    return ""


def _restore(saver: Saver, thread_id: str, copy_id: str, history: list[CheckpointTuple]) -> str:
    try:
        saver.delete_thread(thread_id)
        put(saver, thread_id, history)
        saver.delete_thread(f"{copy_id}{_MOVING}")
    except Exception as error:  # noqa: BLE001
        return f"it could not be put back either ({_said(error)}): the original is in thread {copy_id!r}"
    return "it was put back as it was"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
