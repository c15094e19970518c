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
from langchain_core.messages import AIMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from agentkit.threads._channels import new_channel, renamed, state_keys, waiting_nodes

__all__ = ["MoveReport", "amove", "move"]

Saver = BaseCheckpointSaver[Any]

_NODES = {"agent": "model"}
_COPY = ":before-move"


@dataclass(frozen=True)
class MoveReport:
    """What `move` did, or would do, with one thread.

    Attributes:
        thread_id: The thread.
        outcome: "moved", "unchanged" (nothing to do) or "refused".
        waits_at: The nodes it waited at; empty for a finished thread.
        goes_to: The nodes it waits at afterwards.
        reason: Why it was refused.
        copy_id: The thread that holds the untouched original; empty where nothing was written.
    """

    thread_id: str
    outcome: str
    waits_at: tuple[str, ...] = ()
    goes_to: tuple[str, ...] = ()
    reason: str = ""
    copy_id: str = ""


class _RefusedError(Exception):
    """The thread can't be moved; the text says why."""


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
    history and the results of its finished tools.

    A thread that waits before `tools`, on a graph that reviews calls after the model (such as
    `HumanInTheLoopMiddleware`), is put back to that review: it is never let past a gate that it has not
    seen. A thread that can't be moved is refused with the reason and left as it is.

    Args:
        saver: Where the threads are stored. It must support deleting threads.
        graph: The agent they are to go on with. Its own checkpointer is not used.
        thread_ids: The threads to move. Defaults to all.
        nodes: New names of nodes by old name. Defaults to {"agent": "model"}; entries given here are added.
        drop: State keys that the new agent does not have and that may be left out. Defaults to none.
        write: Whether to change anything. Defaults to False, which only reports. With True the original
            of each thread that is moved is kept in the same saver, as the thread that `copy_id` names.

    Returns:
        One report for each thread, in the order of their ids.

    Raises:
        ValueError: `nodes` leads to a node that the graph does not have.

    Example:
        ```python
        agent = create_agent(model, tools, interrupt_before=["tools"])
        for report in move(saver, agent):
            print(report)  # nothing was written yet
        move(saver, agent, write=True)
        ```
    """
    mapping = {**_NODES, **(nodes or {})}
    _check_nodes(graph, nodes or {})
    wanted = _thread_ids(saver) if thread_ids is None else sorted(set(thread_ids))
    return [_move_one(saver, graph, thread_id, mapping, frozenset(drop), write) for thread_id in wanted]


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


def _check_nodes(graph: CompiledStateGraph[Any, Any, Any, Any], nodes: Mapping[str, str]) -> None:
    for old, new in nodes.items():
        if new not in graph.nodes:
            raise ValueError(f"nodes={{{old!r}: {new!r}}}: the graph has no such node. It has: {_names(graph)}.")


def _thread_ids(saver: Saver) -> list[str]:
    found = {str(entry.config["configurable"]["thread_id"]) for entry in saver.list(None)}
    return sorted(thread_id for thread_id in found if _COPY not in thread_id)


def _move_one(
    saver: Saver,
    graph: CompiledStateGraph[Any, Any, Any, Any],
    thread_id: str,
    nodes: Mapping[str, str],
    drop: frozenset[str],
    write: bool,
) -> MoveReport:
    history = _history(saver, thread_id)
    if not history:
        return MoveReport(thread_id, "refused", reason="there is no such thread")
    waits_at = tuple(waiting_nodes(_latest(history).checkpoint))
    try:
        moved = _moved(graph, history, nodes, drop)
        if moved is None:
            return MoveReport(thread_id, "unchanged", waits_at, waits_at)
        goes_to = _rehearse(graph, thread_id, moved, waits_at, nodes)
    except _RefusedError as refusal:
        return MoveReport(thread_id, "refused", waits_at, reason=str(refusal))
    copy_id = _write(saver, graph, thread_id, history, moved) if write else ""
    return MoveReport(thread_id, "moved", waits_at, goes_to, copy_id=copy_id)


def _history(saver: Saver, thread_id: str) -> list[CheckpointTuple]:
    """All checkpoints of a thread and of its sub-graphs, oldest first."""
    return list(saver.list({"configurable": {"thread_id": thread_id}}))[::-1]


def _namespace(entry: CheckpointTuple) -> str:
    return str(entry.config["configurable"].get("checkpoint_ns", ""))


def _latest(history: list[CheckpointTuple]) -> CheckpointTuple:
    return [entry for entry in history if not _namespace(entry)][-1]


def _moved(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    history: list[CheckpointTuple],
    nodes: Mapping[str, str],
    drop: frozenset[str],
) -> list[CheckpointTuple] | None:
    """The thread with its nodes renamed; None where nothing changes."""
    present = set(graph.nodes)
    latest = _latest(history)
    waits_at = waiting_nodes(latest.checkpoint)
    for node in waits_at:
        target = nodes.get(node, node)
        if target not in present:
            raise _RefusedError(
                f"it waits at node {node!r}, which the graph does not have; say where that is with "
                f"nodes={{{node!r}: ...}} (there are: {_names(graph)})"
            )
        if target != node and latest.pending_writes:
            raise _RefusedError(f"node {node!r} was interrupted half-way; finish it with the agent that it began with")
    values = latest.checkpoint["channel_values"]
    missing = state_keys(values) - set(graph.channels) - drop
    if missing:
        raise _RefusedError(
            f"its state has {', '.join(map(repr, sorted(missing)))}, which the graph's state schema has not; add the "
            "key to the schema, or name it in drop= to leave it out"
        )
    # A channel without a value is no data, and langgraph never sees it as settled in a graph that lacks it.
    empty = state_keys(latest.checkpoint["channel_versions"]) - state_keys(values) - set(graph.channels)
    changed = [_renamed_entry(entry, nodes, present, drop | empty) for entry in history]
    return None if changed == history else changed


def _renamed_entry(
    entry: CheckpointTuple, nodes: Mapping[str, str], present: set[str], drop: frozenset[str]
) -> CheckpointTuple:
    if _namespace(entry):
        return entry
    writes = [
        (task, target, value)
        for task, channel, value in entry.pending_writes or ()
        if (target := None if channel in drop else new_channel(channel, nodes, present)) is not None
    ]
    checkpoint: Any = renamed(entry.checkpoint, nodes, present, drop)
    return entry._replace(checkpoint=checkpoint, pending_writes=writes)


def _rehearse(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    thread_id: str,
    moved: list[CheckpointTuple],
    waits_at: tuple[str, ...],
    nodes: Mapping[str, str],
) -> tuple[str, ...]:
    """Do it in memory, and refuse where the graph would not wait at the right place."""
    trial = InMemorySaver()
    _put(trial, thread_id, moved)
    bound, config = _bind(graph, trial, thread_id)
    goes_to = tuple(dict.fromkeys(bound.get_state(config).next))
    expected = {nodes.get(node, node) for node in waits_at}
    if set(goes_to) != expected:
        raise _RefusedError(f"the graph would go on at {list(goes_to)}, not at {sorted(expected)}")
    if not _passes_a_gate(graph, goes_to):
        return goes_to
    if _latest(moved).pending_writes:
        raise _RefusedError(
            "its tool calls have begun, and the graph reviews calls before they begin; finish the turn with "
            "agentkit.prebuilt.create_react_agent, then move it"
        )
    return _back_to_the_gate(bound, config)


def _passes_a_gate(graph: CompiledStateGraph[Any, Any, Any, Any], goes_to: tuple[str, ...]) -> bool:
    return goes_to == ("tools",) and any(node.endswith(".after_model") for node in graph.nodes)


def _back_to_the_gate(bound: CompiledStateGraph[Any, Any, Any, Any], config: Any) -> tuple[str, ...]:
    """Say the model's last message once more, so that what follows the model runs."""
    messages = bound.get_state(config).values["messages"]
    last = next(message for message in reversed(messages) if isinstance(message, AIMessage))
    bound.update_state(config, {"messages": [last]}, as_node="model")
    goes_to = tuple(dict.fromkeys(bound.get_state(config).next))
    if not goes_to or goes_to == ("tools",):
        raise _RefusedError(f"the graph would go on at {list(goes_to)}, past the node that reviews its calls")
    return goes_to


def _write(
    saver: Saver,
    graph: CompiledStateGraph[Any, Any, Any, Any],
    thread_id: str,
    history: list[CheckpointTuple],
    moved: list[CheckpointTuple],
) -> str:
    """Keep a copy under another id, then put the moved thread in the place of the original."""
    copy_id = f"{thread_id}{_COPY}-{_latest(history).checkpoint['id']}"
    _put(saver, copy_id, history)
    if len(_history(saver, copy_id)) != len(history):
        raise RuntimeError(f"The copy of thread {thread_id!r} is incomplete; nothing was moved.")
    saver.delete_thread(thread_id)
    _put(saver, thread_id, moved)
    bound, config = _bind(graph, saver, thread_id)
    if _passes_a_gate(graph, tuple(dict.fromkeys(bound.get_state(config).next))):
        _back_to_the_gate(bound, config)
    return copy_id


def _bind(
    graph: CompiledStateGraph[Any, Any, Any, Any], saver: Saver, thread_id: str
) -> tuple[CompiledStateGraph[Any, Any, Any, Any], Any]:
    return graph.copy({"checkpointer": saver}), {"configurable": {"thread_id": thread_id}}


def _put(saver: Saver, thread_id: str, history: list[CheckpointTuple]) -> None:
    for entry in history:
        place = {"thread_id": thread_id, "checkpoint_ns": _namespace(entry)}
        parent = entry.parent_config
        before = {"checkpoint_id": parent["configurable"]["checkpoint_id"]} if parent else {}
        stored = saver.put(
            {"configurable": {**place, **before}},
            entry.checkpoint,
            entry.metadata,
            dict(entry.checkpoint["channel_versions"]),
        )
        by_task: dict[str, list[tuple[str, Any]]] = {}
        for task, channel, value in entry.pending_writes or ():
            by_task.setdefault(task, []).append((channel, value))
        for task, writes in by_task.items():
            saver.put_writes(stored, writes, task)


def _names(graph: CompiledStateGraph[Any, Any, Any, Any]) -> str:
    return ", ".join(sorted(node for node in graph.nodes if not node.startswith("__")))
