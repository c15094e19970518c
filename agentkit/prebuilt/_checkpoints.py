"""What a legacy agent refuses of the threads that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentkit import _upstream as up


class CheckedStateGraph(up.HookedStateGraph):
    """A compiled graph that refuses a thread which waits at a node it does not have.

    Plain langgraph drops such a task and reports the thread as finished.
    """

    def check_checkpoint(self, checkpoint: Mapping[str, Any]) -> None:
        """Refuse a checkpoint that is about to run a node which is not there."""
        missing = [node for node in pending_nodes(checkpoint) if node not in self.nodes]
        if missing:
            present = ", ".join(sorted(node for node in self.nodes if not node.startswith("__")))
            raise ValueError(
                f"This thread waits at node {missing[0]!r}, which this agent does not have (it has: {present}). "
                "Open the thread with an agent that has the node, or rename the node in the stored thread with "
                "`agentkit.threads.move`. Nothing was run."
            )


def pending_nodes(checkpoint: Mapping[str, Any]) -> list[str]:
    """The nodes that a stored checkpoint is about to run, whether or not a graph has them."""
    values, versions, seen = (checkpoint[key] for key in ("channel_values", "channel_versions", "versions_seen"))
    nodes: list[str] = []
    for channel, version in versions.items():
        # "branch:to:X" today, "start:X" and "branch:source:condition:X" up to langgraph 0.2.
        if channel.startswith(("branch:", "start:")) and channel in values:
            node = channel.rsplit(":", 1)[1]
            before = seen.get(node, {}).get(channel)
            if before is None or version > before:
                nodes.append(node)
    sends = [*(values.get(up.TASKS_CHANNEL) or ()), *(checkpoint.get("pending_sends") or ())]
    return list(dict.fromkeys([*nodes, *(send.node for send in sends)]))
