"""The task a gate runs in: its saver, the interrupt it showed, and the resume value it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from langchain_core.messages import ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_config
from langgraph.types import Interrupt, interrupt

from agentkit import _upstream as up
from agentkit.hitl._answers import request_id_of
from agentkit.hitl._records import MethodCall, RecordLocation, Steps, canonical, form
from agentkit.middleware._requests import latest

_NOTHING = object()
_TRIES = 20


class NothingToPersistInError(ValueError):
    """An agent with approvals runs where an interrupt would be lost."""

    def __init__(self) -> None:
        super().__init__(
            "this agent has approvals (interrupt_on or permissions), but nothing can keep an interrupt: pass "
            "checkpointer= (for example langgraph.checkpoint.memory.InMemorySaver()) to the agent, or run "
            "it inside a graph that has one, with that graph's config: agent.invoke(state, config). No tool was run."
        )


@contextmanager
def current(config: RunnableConfig | None) -> Iterator[RunnableConfig | None]:
    """Make the config of the task current, which Python 3.10 does not do for async hooks.

    Args:
        config: The config the hook was given, if it was.

    Yields:
        The config of the task, or None outside a graph.
    """
    if config is None:
        try:
            config = get_config()
        except RuntimeError:
            yield None
            return
    token = var_child_runnable_config.set(config)
    try:
        yield config
    finally:
        var_child_runnable_config.reset(token)


@dataclass(frozen=True)
class Shown:
    """The interrupt that this very task raised before it was resumed.

    Attributes:
        request_id: The id of the gate's request, or None for a request of langchain's own gate.
        forms: The calls it shows, by tool-call id, in canonical form. Empty where it is no gate's request.
        turn: The ids of all calls of the turn, where each is shown by itself.
        calls: The calls of the AI message as they were then, in canonical form.
        may_have_run: Whether it asks about a call that may have run.
    """

    request_id: str | None
    forms: Mapping[str, str]
    turn: frozenset[str]
    calls: frozenset[str]
    may_have_run: bool


class Task:
    """What the config tells about the task that runs.

    Args:
        config: The config of the task, or None outside a graph.
    """

    def __init__(self, config: RunnableConfig | None) -> None:
        self.config = config
        self.conf: Mapping[str, Any] = (config or {}).get(up.CONF, {})
        saver = self.conf.get(up.CONFIG_KEY_CHECKPOINTER)
        self.saver: BaseCheckpointSaver[Any] | None = saver if isinstance(saver, BaseCheckpointSaver) else None
        self._ns: str = self.conf.get(up.CONFIG_KEY_CHECKPOINT_NS, "")
        self._pad: Any = self.conf.get(up.CONFIG_KEY_SCRATCHPAD)
        self._shown: Any = _NOTHING
        self._to_clear: Any = None

    def require_saver(self) -> None:
        """Refuse to go on where an interrupt could not be kept.

        Raises:
            NothingToPersistInError: If neither the agent nor a graph above it has a checkpointer.
        """
        if up.CONFIG_KEY_READ in self.conf and self.saver is None:
            raise NothingToPersistInError

    def read_channel(self, channel: str) -> Any:
        """Read a state channel of the running graph, also one the node's own schema leaves out, or None."""
        read = self.conf.get(up.CONFIG_KEY_READ)
        try:
            return None if read is None else read(channel)
        except KeyError:
            return None

    @property
    def was_sent_one_call(self) -> bool:
        """Whether this task was sent one call, rather than made to run all calls of a message."""
        path = (self.config or {}).get("metadata", {}).get("langgraph_path")
        return path is None or path[0] == up.PUSH

    @property
    def run_name(self) -> str:
        """The id of the run, for people to read."""
        metadata = (self.config or {}).get("metadata", {})
        found = metadata.get("run_id") or self.conf.get("run_id") or (self.config or {}).get("run_id")
        return str(found or "unnamed")

    def record_at(self, record_id: str | None = None) -> RecordLocation | None:
        """Where a record is: by default that of this task's own interrupt. None where nothing is stored."""
        if self.saver is None or self.conf.get("thread_id") is None or not self._ns:
            return None
        return RecordLocation(self.saver, self.conf["thread_id"], record_id or Interrupt.from_ns(None, self._ns).id)

    # The interrupt this task raised before.

    @property
    def may_be_resumed(self) -> bool:
        """Whether this run goes on from a checkpoint with this task, which may have raised an interrupt before."""
        return self.saver is not None and self._pad is not None and bool(self.conf.get(up.CONFIG_KEY_RESUMING))

    def shown(self, calls: Sequence[ToolCall]) -> Steps[Shown | None]:
        """Read the interrupt that this task raised before, or None."""
        if not self.may_be_resumed or self.saver is None:
            return None
        if self._shown is _NOTHING:
            found = yield MethodCall(self.saver, "get_tuple", (self._checkpoint(),))
            task_id = self._ns.rpartition(":")[2]
            writes = list((found.pending_writes if found else None) or ())
            raised = [value for task, channel, value in writes if task == task_id and channel == up.INTERRUPT]
            if not raised:
                self._shown = None
                return None
            interrupts = [one for value in raised for one in (value if isinstance(value, Sequence) else (value,))]
            stored = found.checkpoint["channel_values"].get("messages")
            message, _ = latest(stored if isinstance(stored, list) else [])
            then = [] if message is None else message.tool_calls
            self._shown = _read_shown(interrupts[-1].value, then or calls)
        return cast("Shown | None", self._shown)

    def _checkpoint(self) -> RunnableConfig:
        """The checkpoint this task started from."""
        namespace = self._ns.rpartition("|")[0]
        at = {"thread_id": self.conf.get("thread_id"), up.CONFIG_KEY_CHECKPOINT_NS: namespace}
        checkpoint = (self.conf.get(up.CONFIG_KEY_CHECKPOINT_MAP) or {}).get(namespace)
        if checkpoint is not None:
            at["checkpoint_id"] = checkpoint
        return cast(RunnableConfig, {up.CONF: at})

    def was_superseded(self) -> Steps[bool]:
        """Whether another run has gone on from the checkpoint this task started from."""
        at = self._checkpoint()
        started_from = at[up.CONF].pop("checkpoint_id", None)
        if self.saver is None or started_from is None:
            return False
        found = yield MethodCall(self.saver, "get_tuple", (at,))
        return found is not None and found.checkpoint["id"] != started_from

    # The resume value.

    @property
    def has_resume_value(self) -> bool:
        """Whether this task was given a resume value that no interrupt has taken."""
        return self._pad is not None and (self._addressed() is not _NOTHING or self._unaddressed() is not None)

    def _addressed(self) -> Any:
        resume_map = self.conf.get(up.CONFIG_KEY_RESUME_MAP)
        own = Interrupt.from_ns(None, self._ns).id if resume_map else None
        if not resume_map or own not in resume_map or self._pad is None or not self._pad.resume:
            return _NOTHING
        value = resume_map[own]
        return value if self._pad.resume[-1] is value else _NOTHING

    def _unaddressed(self) -> Any:
        if self._pad is None or self.conf.get(up.CONFIG_KEY_RESUME_MAP) is not None:
            return None
        return self._pad.get_null_resume()

    def take_resume_value(self) -> Steps[Any]:
        """Take the resume value, so that no later interrupt is answered by it.

        langgraph would keep it with the task. The gate keeps decisions in its record, and an `interrupt` of the tool
        itself counts from its own first one.
        """
        value = self._addressed()
        if value is not _NOTHING:
            self._pad.resume.pop()
            return value
        value = self._to_clear = self._pad.get_null_resume(True)
        if "|" in self._ns:
            yield from self.clear_resume_value()
        return value

    def drop_misdirected(self) -> None:
        """Drop a resume value that was sent for a gate's request, so that no `interrupt` of the tool takes it."""
        if request_id_of(self._addressed()) is not None:
            self._pad.resume.pop()

    def clear_resume_value(self) -> Steps[None]:
        """Clear a taken resume value without address from the outermost graph's checkpoint.

        It would answer again where that checkpoint stays the latest: below another graph, and before another interrupt.
        """
        checkpoint = (self.conf.get(up.CONFIG_KEY_CHECKPOINT_MAP) or {}).get("")
        if self._to_clear is None or self.saver is None or checkpoint is None:
            return
        at = {"thread_id": self.conf.get("thread_id"), up.CONFIG_KEY_CHECKPOINT_NS: "", "checkpoint_id": checkpoint}
        config = cast(RunnableConfig, {up.CONF: at})
        for _ in range(_TRIES):  # langgraph saves it in the background, maybe later than this task runs
            found = yield MethodCall(self.saver, "get_tuple", (config,))
            writes = list((found.pending_writes if found else None) or ())
            if any(w[0] == up.NULL_TASK_ID and w[1] == up.RESUME and w[2] is not None for w in writes):
                break
        yield MethodCall(self.saver, "put_writes", (config, [(up.RESUME, None)], up.NULL_TASK_ID))
        self._to_clear = None

    def interrupt(self, request: Any, **options: Any) -> Any:
        """Raise an interrupt. No resume value answers it that was not sent for it."""
        if self._pad is None or self.config is None:
            return interrupt(request, **options)  # outside a graph, where langgraph says so
        pad = replace(self._pad, resume=[], get_null_resume=lambda consume=False: None)
        own = {**self.config, up.CONF: {**self.conf, up.CONFIG_KEY_SCRATCHPAD: pad}}
        with current(cast(RunnableConfig, own)):
            return interrupt(request, **options)


def _read_shown(value: Any, calls: Sequence[ToolCall]) -> Shown:
    parts = [part for part in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(part, Mapping)]
    first = parts[0] if parts else {}
    forms = {key: written for part in parts for key, written in _forms(part, calls)}
    now = frozenset(canonical([call["id"], form(call)]) for call in calls)
    turn = first.get("turn_ids") or (first.get("tool_call_ids", ()) if "action_request" in first else ())
    return Shown(first.get("request_id"), forms, frozenset(turn), now, bool(first.get("may_have_run")))


def _forms(part: Mapping[str, Any], calls: Sequence[ToolCall]) -> Iterator[tuple[str, str]]:
    """The calls a request shows, by id. langchain's own requests name no ids."""
    if "action_requests" in part and "review_configs" in part:
        actions = part["action_requests"]
        ids = part.get("tool_call_ids") or list(_matching(actions, calls))
        yield from zip(ids, map(form, actions), strict=False)
    elif "action_request" in part and part.get("tool_call_id") is not None:
        action = part["action_request"]
        yield part["tool_call_id"], form({"name": action["action"], "args": action["args"]})
    elif part.get("type") == "tool_approval":
        yield part["tool_call_id"], form(part)


def _matching(actions: Sequence[Mapping[str, Any]], calls: Sequence[ToolCall]) -> Iterator[Any]:
    left = list(calls)
    for action in actions:
        call = next((one for one in left if form(one) == form(action)), None)
        if call is not None:
            left.remove(call)
            yield call["id"]
