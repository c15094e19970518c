"""Rename nodes inside a stored checkpoint: pure functions on its data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from langgraph.types import Send

from agentkit._upstream import INTERRUPT_SEEN, TASKS_CHANNEL

_TO = "branch:to:"
# Up to langgraph 0.2, writing to the channel of this node's own name ran the next node.
_NEXT_OF_NODE_CHANNEL = {"tools": "agent"}
LEGACY_NODES = frozenset({"agent", "tools", "pre_model_hook", "post_model_hook", "generate_structured_response"})
_NO_NODES = frozenset({INTERRUPT_SEEN, "__input__", "__start__"})
# State of the legacy agent that is recomputed, never needed again.
PASSING_KEYS = frozenset({"llm_input_messages", "remaining_steps", "is_last_step"})


def renamed(
    checkpoint: Mapping[str, Any], nodes: Mapping[str, str], present: Iterable[str], drop: Iterable[str]
) -> dict[str, Any]:
    """Copy a checkpoint with its nodes renamed and without the traces of nodes and keys that are gone.

    Args:
        checkpoint: The checkpoint as the saver gave it.
        nodes: New names by old name.
        present: The nodes that the new graph has.
        drop: State keys to leave out.

    Returns:
        The changed copy; an equal one where there was nothing to change.
    """
    copy: dict[str, Any] = deepcopy(dict(checkpoint))
    kept, gone = set(present), set(drop)

    def place(channel: str) -> str | None:
        return None if channel in gone else new_channel(channel, nodes, kept)

    copy["channel_versions"] = _merge_versions(copy["channel_versions"], place)
    values: dict[str, Any] = {}
    for channel, value in copy["channel_values"].items():
        target = place(channel)
        if target is not None and (target == channel or target not in values):
            values[target] = None if target.startswith(_TO) else renamed_sends(value, nodes)
    copy["channel_values"] = values
    if copy.get("pending_sends"):
        copy["pending_sends"] = renamed_sends(copy["pending_sends"], nodes)
    seen: dict[str, Any] = {}
    for node, versions in copy["versions_seen"].items():
        target = nodes.get(node, node)
        if target in kept or node in _NO_NODES:
            seen[target] = _latest(seen.get(target, {}), _merge_versions(versions, place))
    copy["versions_seen"] = seen
    if copy.get("updated_channels"):
        targets = [place(channel) for channel in copy["updated_channels"]]
        copy["updated_channels"] = sorted({target for target in targets if target is not None})
    return copy


def renamed_sends(value: Any, nodes: Mapping[str, str]) -> Any:
    """A value in which each `Send` goes to the new name of its node."""
    if isinstance(value, list):
        return [renamed_sends(each, nodes) for each in value]
    if not isinstance(value, Send) or value.node not in nodes:
        return value
    copy = deepcopy(value)
    copy.node = nodes[value.node]
    return copy


def with_versions(checkpoint: Mapping[str, Any], version: Callable[[Any], Any]) -> dict[str, Any]:
    """Copy a checkpoint with each channel version replaced by what `version` makes of it."""
    return {
        **checkpoint,
        "channel_versions": {channel: version(old) for channel, old in checkpoint["channel_versions"].items()},
        "versions_seen": {
            node: {channel: version(old) for channel, old in seen.items()}
            for node, seen in checkpoint["versions_seen"].items()
        },
    }


def new_channel(channel: str, nodes: Mapping[str, str], present: set[str]) -> str | None:
    """The name of a channel in the new graph, or None where it has no place there."""
    node: str | None = None
    if channel.startswith(("branch:", "start:")):
        node = channel.rsplit(":", 1)[1]
    elif channel in LEGACY_NODES:
        node = _NEXT_OF_NODE_CHANNEL.get(channel)
        if node is None:
            return None
    elif channel in PASSING_KEYS:
        return None
    if node is None:
        return channel
    target = nodes.get(node, node)
    return f"{_TO}{target}" if target in present else None


def state_keys(channels: Iterable[str]) -> set[str]:
    """The channels that are keys of the user's state."""
    return {
        channel
        for channel in channels
        if not channel.startswith(("branch:", "start:", "__"))
        and channel not in PASSING_KEYS
        and channel not in LEGACY_NODES
    }


def known_nodes(checkpoint: Mapping[str, Any]) -> set[str]:
    """The nodes that have left a trace in a checkpoint, in the names it was stored with."""
    reached = {_target(channel) for channel in checkpoint["channel_versions"]} - {None}
    return {str(node) for node in reached | set(checkpoint["versions_seen"])} - _NO_NODES


def waiting_nodes(checkpoint: Mapping[str, Any]) -> list[str]:
    """The nodes that a checkpoint is about to run, in the names it was stored with.

    Beside what `pending_nodes` sees, it knows the node channels of langgraph 0.2.
    """
    values, versions, seen = (checkpoint[key] for key in ("channel_values", "channel_versions", "versions_seen"))
    nodes = []
    for channel, version in versions.items():
        node = _target(channel)
        if node is not None and channel in values:
            before = seen.get(node, {}).get(channel)
            if before is None or version > before:
                nodes.append(node)
    sends = [*(values.get(TASKS_CHANNEL) or ()), *(checkpoint.get("pending_sends") or ())]
    return list(dict.fromkeys([*nodes, *(send.node for send in sends)]))


def _target(channel: str) -> str | None:
    if channel.startswith(("branch:", "start:")):
        return channel.rsplit(":", 1)[1]
    return _NEXT_OF_NODE_CHANNEL.get(channel)


def _merge_versions(versions: Mapping[str, Any], place: Any) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for channel, version in versions.items():
        target = place(channel)
        if target is not None:
            merged = _latest(merged, {target: version})
    return merged


def _latest(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two maps of versions; the later version of a channel wins."""
    merged = dict(first)
    for channel, version in second.items():
        merged[channel] = max(merged[channel], version) if channel in merged else version
    return merged
