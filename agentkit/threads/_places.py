"""Where the checkpoints of a thread belong: the graph itself, and its sub-graphs."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel

from agentkit._upstream import NAMESPACE_END, NAMESPACE_SEPARATOR
from agentkit.threads._channels import LEGACY_NODES, known_nodes, waiting_nodes

Graph = CompiledStateGraph[Any, Any, Any, Any]

AFTER_MODEL = ".after_model"
_MIDDLEWARE = (".before_agent", ".before_model", AFTER_MODEL, ".after_agent")


@dataclass(frozen=True)
class Place:
    """The checkpoints of one graph in a thread.

    Attributes:
        namespace: Its `checkpoint_ns`; empty for the graph that the thread belongs to.
        graph: The graph that would go on with them; None where that can't be told for certain.
        entries: The checkpoints, oldest first.
        live: Whether the thread still needs them to go on. Those of a finished task are history.
    """

    namespace: str
    graph: Graph | None
    entries: list[CheckpointTuple]
    live: bool

    @property
    def latest(self) -> CheckpointTuple:
        """The checkpoint that it goes on from."""
        return self.entries[-1]

    @property
    def path(self) -> str:
        """The nodes that lead to it, with a trailing separator; empty for the graph itself."""
        return "".join(f"{node}{NAMESPACE_SEPARATOR}" for node in _path(self.namespace))

    def waits_at(self) -> list[str]:
        """The nodes that it is about to run."""
        return waiting_nodes(self.latest.checkpoint) if self.live else []

    @property
    def model_node(self) -> str:
        """The node that calls the model."""
        return "model" if self.graph is not None and "model" in self.graph.nodes else "agent"

    def reviews(self) -> list[Any]:
        """The version at which each node after the model last ran; None where it never did."""
        nodes = [node for node in (self.graph.nodes if self.graph else ()) if node.endswith(AFTER_MODEL)]
        seen = self.latest.checkpoint["versions_seen"]
        return [max(seen.get(node, {}).values(), default=None) for node in nodes]

    def knows(self) -> set[str]:
        """The nodes, in any checkpoint, of the graph that wrote it, without those of middleware."""
        found: set[str] = set().union(*(known_nodes(entry.checkpoint) for entry in self.entries))
        return {node for node in found if not node.endswith(_MIDDLEWARE)}

    def is_legacy(self, nodes: Mapping[str, str]) -> bool:
        """Whether a legacy agent wrote it, as far as the names of its nodes tell."""
        present = set(self.graph.nodes) if self.graph else set()
        known = self.knows()
        return known <= LEGACY_NODES | set(nodes) | present and bool(known & ((LEGACY_NODES - {"tools"}) | set(nodes)))


def places(graph: Graph, history: list[CheckpointTuple]) -> dict[str, Place]:
    """Sort a thread's checkpoints by the graph that they belong to.

    Args:
        graph: The graph that is to go on with the thread.
        history: All checkpoints of the thread, oldest first in each namespace.

    Returns:
        The places by namespace.
    """
    grouped: dict[str, list[CheckpointTuple]] = {}
    for entry in history:
        grouped.setdefault(namespace(entry), []).append(entry)
    newest = {name: entries[-1].checkpoint["id"] for name, entries in grouped.items()}
    return {
        name: Place(name, _graph_at(graph, name), grouped[name], _is_live(name, newest)) for name in sorted(grouped)
    }


def namespace(entry: CheckpointTuple) -> str:
    """The namespace that a checkpoint belongs to."""
    return str(entry.config["configurable"].get("checkpoint_ns", ""))


def task_of(name: str) -> tuple[str, str]:
    """The namespace that runs the sub-graph of a namespace, and the id of the task that does; "" if it has none."""
    parent, _, task = _without_numbers(name).rpartition(NAMESPACE_SEPARATOR)
    return parent, task.partition(NAMESPACE_END)[2]


def renames(graph: Graph, nodes: Mapping[str, str]) -> dict[str, str]:
    """New names of a graph's nodes by old name.

    Args:
        graph: The graph that has the new names.
        nodes: What the caller said.
    """
    present = set(graph.nodes)
    said = {old: new for old, new in nodes.items() if new in present}
    entry = _loop_entry(graph)
    return said if entry is None or "agent" in present or "agent" in nodes else {"agent": entry, **said}


def _loop_entry(graph: Graph) -> str | None:
    """The node at which a turn of the loop begins, as `agent` did: the one that follows `tools`."""
    builder = graph.builder
    after = {end for start, end in builder.edges if start == "tools"}
    for branch in builder.branches.get("tools", {}).values():
        after.update((branch.ends or {}).values())
    after &= set(graph.nodes)
    if len(after) == 1:
        return after.pop()
    # Without tools: create_agent begins with the first of these that there is.
    names = [*(node for node in graph.nodes if node.endswith(".before_model")), "model"]
    return names[0] if names[0] in graph.nodes else None


def _is_live(name: str, newest: Mapping[str, str]) -> bool:
    """A sub-graph's checkpoints are needed until its task ends, which the parent's next checkpoint tells."""
    if not name:
        return True
    parent, task = task_of(name)
    if parent in newest and task and newest[name] <= newest[parent]:
        return False
    return _is_live(parent, newest)


def _graph_at(graph: Graph, name: str) -> Graph | None:
    """The graph of a namespace, None where it can't be told for certain."""
    found: Any = graph
    for node in _path(name):
        found = _only_subgraph(found.nodes[node]) if found is not None and node in found.nodes else None
    return found if isinstance(found, CompiledStateGraph) else None


def _only_subgraph(node: Any) -> Any:
    """The graph that a node is, or the only one that its function uses."""
    if isinstance(node.bound, Pregel):
        return node.bound
    function = getattr(node.bound, "func", None) or getattr(node.bound, "afunc", None)
    if not inspect.isfunction(function):
        return None
    names = inspect.getclosurevars(function)
    used = [value for value in (*names.nonlocals.values(), *names.globals.values()) if isinstance(value, Pregel)]
    return used[0] if len(used) == 1 and list(node.subgraphs or ()) == used else None


def _path(name: str) -> list[str]:
    parts = _without_numbers(name).split(NAMESPACE_SEPARATOR) if name else []
    return [part.partition(NAMESPACE_END)[0] for part in parts]


def _without_numbers(name: str) -> str:
    return NAMESPACE_SEPARATOR.join(part for part in name.split(NAMESPACE_SEPARATOR) if not part.isdigit())
