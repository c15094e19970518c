"""Work out what a moved thread looks like, and try it in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver

from agentkit._upstream import TASKS_CHANNEL
from agentkit.threads._channels import new_channel, renamed, renamed_sends, state_keys, with_versions
from agentkit.threads._places import AFTER_MODEL, Graph, Place, namespace, places, renames, task_of

Saver = BaseCheckpointSaver[Any]


class RefusedError(Exception):
    """The thread can't be moved; the text says why."""


@dataclass(frozen=True)
class Rules:
    """What the caller asked for: new names of nodes, keys to leave out, whether the thread was named."""

    nodes: Mapping[str, str]
    drop: frozenset[str]
    named: bool


@dataclass(frozen=True)
class Plan:
    """What a thread becomes.

    Attributes:
        moved: Its checkpoints afterwards, oldest first; None where nothing changes.
        goes_to: The nodes it waits at afterwards.
        reason: Why nothing changes, where that is not plain.
    """

    moved: list[CheckpointTuple] | None
    goes_to: tuple[str, ...] = ()
    reason: str = ""


def plan(saver: Saver, graph: Graph, thread_id: str, history: list[CheckpointTuple], rules: Rules) -> Plan:
    """Work out what a thread becomes, and try it in memory.

    Args:
        saver: Where it is stored; asked what channel versions look like.
        graph: The graph that is to go on with it.
        thread_id: The thread.
        history: All its checkpoints, oldest first.
        rules: What the caller asked for.

    Returns:
        The plan.

    Raises:
        RefusedError: The thread can't be moved.
    """
    found = places(graph, history)
    if "" not in found:
        raise RefusedError("it has checkpoints of sub-graphs alone")
    root = found[""]
    foreign = sorted(root.knows() - set(graph.nodes))
    if foreign and not root.is_legacy(rules.nodes):
        reason = f"it knows {', '.join(map(repr, foreign))}, which neither a legacy agent nor the graph has"
        if not rules.named:
            return Plan(None, reason=reason)
        raise RefusedError(f"{reason}; say what became of them with nodes= (there are: {node_names(graph)})")
    moving = [place for place in found.values() if _is_to_move(place, rules)]
    new = {place.namespace: _renamed(place, rules) for place in moving}
    queues = {name: iter(entries) for name, entries in new.items()}
    moved = [next(queues[namespace(entry)], entry) if namespace(entry) in queues else entry for entry in history]
    moved = _with_the_savers_versions(saver, moved)
    found = places(graph, moved)
    if moved == history and not any(_waits_before_tools(place) for place in found.values()):
        return Plan(None)
    trial = _Trial(saver)
    put(trial, thread_id, moved)
    unreviewed = [place for place in found.values() if _is_unreviewed(trial, graph, thread_id, place)]
    if moved == history and not unreviewed:
        return Plan(None)
    unknown = _unknown_tools(trial, graph, thread_id)
    if unknown and not rules.named:
        return Plan(None, reason=f"it calls {', '.join(map(repr, unknown))}, tools that the graph does not have")
    for place in moving:
        _rehearse(trial, graph, thread_id, place, rules)
    for place in unreviewed:
        _rehearse_the_gate(trial, graph, thread_id, place)
    for place in found.values():
        _check_that_its_task_goes_on(trial, graph, thread_id, place, found)
    tried = list(trial.list({"configurable": {"thread_id": thread_id}}))[::-1]
    return Plan(_with_the_put_backs(moved, tried) if unreviewed else moved, waits_at(places(graph, tried)))


def waits_at(found: Mapping[str, Place]) -> tuple[str, ...]:
    """The nodes that a thread waits at, those of sub-graphs with the nodes that lead to them."""
    return tuple(dict.fromkeys(place.path + node for place in found.values() for node in place.waits_at()))


def put(saver: Saver, thread_id: str, history: list[CheckpointTuple]) -> None:
    """Store checkpoints as a thread."""
    for entry in history:
        place = {"thread_id": thread_id, "checkpoint_ns": namespace(entry)}
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


def node_names(graph: Graph) -> str:
    """The nodes of a graph, for an error."""
    return ", ".join(sorted(node for node in graph.nodes if not node.startswith("__")))


def _is_to_move(place: Place, rules: Rules) -> bool:
    """Whether its nodes are renamed; refuses a sub-graph that waits and can't be told."""
    if not place.is_legacy(rules.nodes):
        return False
    if place.graph is None and place.live:
        raise RefusedError(
            f"a legacy agent inside node {place.path[:-1]!r} is to go on, and the graph does not tell which agent does "
            "there; finish the turn with the agents that it began with"
        )
    return place.graph is not None


def _renamed(place: Place, rules: Rules) -> list[CheckpointTuple]:
    """The checkpoints of a place with its nodes renamed."""
    graph = place.graph
    assert graph is not None
    present, latest, where = set(graph.nodes), place.latest, f"{place.path[:-1]!r}: " if place.path else ""
    nodes = renames(graph, rules.nodes)
    for node in place.waits_at():
        target = nodes.get(node, node)
        if target not in present:
            raise RefusedError(
                f"{where}it waits at node {node!r}, which the graph does not have; say where that is with "
                f"nodes={{{node!r}: ...}} (there are: {node_names(graph)})"
            )
        if target != node and latest.pending_writes:
            raise RefusedError(
                f"{where}node {node!r} was interrupted half-way; finish it with the agent that it began with"
            )
    values = state_keys(latest.checkpoint["channel_values"])
    missing = values - set(graph.channels) - rules.drop
    if (
        missing
        and place.live
        and [_entry(entry, nodes, present, frozenset()) for entry in place.entries] != place.entries
    ):
        raise RefusedError(
            f"{where}its state has {', '.join(map(repr, sorted(missing)))}, which the graph's state schema has not; "
            "add the key to the schema, or name it in drop= to leave it out"
        )
    # A channel without a value is no data, and langgraph never sees it as settled in a graph that lacks it.
    empty = state_keys(latest.checkpoint["channel_versions"]) - values - set(graph.channels)
    return [_entry(entry, nodes, present, rules.drop | empty) for entry in place.entries]


def _entry(
    entry: CheckpointTuple, nodes: Mapping[str, str], present: set[str], drop: frozenset[str]
) -> CheckpointTuple:
    writes = [
        (task, target, renamed_sends(value, nodes) if channel == TASKS_CHANNEL else value)
        for task, channel, value in entry.pending_writes or ()
        if (target := None if channel in drop else new_channel(channel, nodes, present)) is not None
    ]
    checkpoint: Any = renamed(entry.checkpoint, nodes, present, drop)
    return entry._replace(checkpoint=checkpoint, pending_writes=writes)


def _with_the_savers_versions(saver: Saver, history: list[CheckpointTuple]) -> list[CheckpointTuple]:
    """Write channel versions as the saver does; async savers once counted them in plain integers."""
    kind = type(saver.get_next_version(None, None))
    kinds = {type(version) for entry in history for version in entry.checkpoint["channel_versions"].values()}
    if not kinds - {kind}:
        return history
    if kind is not str or kinds - {kind, int}:
        raise RefusedError(
            f"its channel versions are {' and '.join(sorted(each.__name__ for each in kinds))}, and the saver "
            f"counts in {kind.__name__}"
        )
    known: dict[int, str] = {}

    def version(old: Any) -> Any:
        return old if isinstance(old, str) else known.setdefault(old, saver.get_next_version(old - 1, None))

    checkpoints: list[Any] = [with_versions(entry.checkpoint, version) for entry in history]
    return [entry._replace(checkpoint=new) for entry, new in zip(history, checkpoints, strict=True)]


def _rehearse(trial: Saver, graph: Graph, thread_id: str, place: Place, rules: Rules) -> None:
    """Refuse where the graph would not wait at the right place."""
    if place.graph is None or not place.live:
        return
    nodes = renames(place.graph, rules.nodes)
    bound, config = _bind(graph, trial, thread_id, place.namespace)
    goes_to = set(bound.get_state(config).next)
    expected = {nodes.get(node, node) for node in place.waits_at()}
    if goes_to != expected:
        raise RefusedError(f"the graph would go on at {sorted(goes_to)}, not at {sorted(expected)}")


def _rehearse_the_gate(trial: Saver, graph: Graph, thread_id: str, place: Place) -> None:
    if place.latest.pending_writes:
        raise RefusedError(
            "its tool calls have begun, and the graph reviews calls before they begin; finish the turn with the agent "
            "that it began with (agentkit.prebuilt.create_react_agent for langgraph's), then move it"
        )
    bound, config = _bind(graph, trial, thread_id, place.namespace)
    last = _last_request(bound.get_state(config).values)
    if last is None:
        raise RefusedError("it waits before its tools, and no message of it asks for any")
    # The model's message, said once more, makes what follows the model run.
    bound.update_state(config, {"messages": [last]}, as_node=place.model_node)
    goes_to = tuple(dict.fromkeys(bound.get_state(config).next))
    if not goes_to or goes_to == ("tools",):
        raise RefusedError(f"the graph would go on at {list(goes_to)}, past the node that reviews its calls")


def _is_unreviewed(trial: Saver, graph: Graph, thread_id: str, place: Place) -> bool:
    """Whether it is about to run tools, and a node of its graph that follows the model has not seen the calls."""
    if not _waits_before_tools(place):
        return False
    if place.graph is None:
        return _is_untold(place)
    if not place.reviews():
        return False
    asked = request = None
    bound, config = _bind(graph, trial, thread_id, place.namespace)
    for entry in reversed(place.entries):
        config["configurable"]["checkpoint_id"] = entry.checkpoint["id"]
        message = _last_request(bound.get_state(config).values)
        if asked is not None and (message is None or (message.id, message.tool_calls) != request):
            break
        asked = entry.checkpoint["channel_versions"].get("messages")
        request = message and (message.id, message.tool_calls)
    return any(asked is None or review is None or review < asked for review in place.reviews())


def _waits_before_tools(place: Place) -> bool:
    return set(place.waits_at()) == {"tools"}


def _is_untold(place: Place) -> bool:
    """Refuse calls of which it can't be told whether the agent that goes on with them reviews them."""
    reviewed = any(node.endswith(AFTER_MODEL) for node in place.latest.checkpoint["versions_seen"])
    if reviewed or place.latest.pending_writes:
        return False
    raise RefusedError(
        f"an agent inside node {place.path[:-1]!r} waits before its tools, and the graph does not tell whether the "
        "agent that goes on there reviews calls; finish the turn with the agents that it began with"
    )


def _messages(values: Any) -> Sequence[Any]:
    return values.get("messages", ()) if isinstance(values, Mapping) else ()


def _last_request(values: Any) -> AIMessage | None:
    return next((message for message in reversed(_messages(values)) if isinstance(message, AIMessage)), None)


def _unknown_tools(trial: Saver, graph: Graph, thread_id: str) -> list[str]:
    """The tools that show that the thread is another agent's: pending ones, or all it ever called."""
    known = set(getattr(getattr(graph.nodes.get("tools"), "bound", None), "tools_by_name", ()))
    bound, config = _bind(graph, trial, thread_id, "")
    messages = _messages(bound.get_state(config).values)
    called = [call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls]
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    pending = {call["name"] for call in called if call["id"] not in answered}
    names = {call["name"] for call in called}
    if not known or not names:
        return []
    return sorted(pending - known or (names if names.isdisjoint(known) else ()))


def _with_the_put_backs(moved: list[CheckpointTuple], tried: list[CheckpointTuple]) -> list[CheckpointTuple]:
    """The moved checkpoints with what putting them back to a review added, in the order of time."""
    known = {(namespace(entry), entry.checkpoint["id"]): entry for entry in moved}
    final = []
    for entry in tried:
        own = known.get((namespace(entry), entry.checkpoint["id"]), entry)
        final.append(own._replace(pending_writes=entry.pending_writes))
    return sorted(final, key=lambda entry: str(entry.checkpoint["id"]))


def _check_that_its_task_goes_on(
    trial: Saver, graph: Graph, thread_id: str, place: Place, found: Mapping[str, Place]
) -> None:
    """A sub-graph's checkpoints are found by the id of its task, which depends on node and channel names."""
    parent, task = task_of(place.namespace)
    if not place.namespace or not place.waits_at() or parent not in found or found[parent].graph is None:
        return
    if task:
        bound, config = _bind(graph, trial, thread_id, parent)
        goes_on = task in {each.id for each in bound.get_state(config).tasks}
    else:  # of a sub-graph with a memory of its own; langgraph 0.2.0 stored every sub-graph so
        goes_on = place.graph is None or place.graph.checkpointer is True
    if not goes_on:
        raise RefusedError(
            f"the graph inside node {place.path[:-1]!r} has not finished, and the new graph would begin it anew; "
            "finish the turn with the agents that it began with"
        )


def _bind(graph: Graph, saver: Saver, thread_id: str, name: str) -> tuple[Graph, Any]:
    return graph.copy({"checkpointer": saver}), {"configurable": {"thread_id": thread_id, "checkpoint_ns": name}}


class _Trial(InMemorySaver):
    """A saver in memory that counts versions as another one does."""

    def __init__(self, like: Saver) -> None:
        super().__init__()
        self._like = like

    def get_next_version(self, current: Any, channel: None) -> Any:
        return self._like.get_next_version(current, channel)
