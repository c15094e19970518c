"""Where a hook runs: the config of its task, and what an earlier run of the same task asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from langchain_core.messages import ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt
from pydantic import ValidationError

from agentkit import _upstream as up
from agentkit.hitl._answers import AnswerError
from agentkit.middleware._requests import latest

T = TypeVar("T")


class NothingToPersistInError(ValueError):
    """An agent with approvals runs where a pause would be lost."""

    def __init__(self) -> None:
        super().__init__(
            "this agent has approvals (interrupt_on or permissions), but nothing can keep a pause: pass "
            "checkpointer= (for example langgraph.checkpoint.memory.InMemorySaver()) to the agent, or run "
            "it inside a graph that has one, with that graph's config: agent.invoke(state, config). No tool was run."
        )


@contextmanager
def running(config: RunnableConfig | None) -> Iterator[RunnableConfig | None]:
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


def require_saver(config: RunnableConfig | None) -> None:
    """Refuse to go on where a pause could not be kept.

    Args:
        config: The config of the task, or None outside a graph.

    Raises:
        NothingToPersistInError: If neither the agent nor a graph above it has a checkpointer.
    """
    if config is not None and up.CONFIG_KEY_READ in config.get(up.CONF, {}) and _saver(config) is None:
        raise NothingToPersistInError


def read_channel(config: RunnableConfig | None, channel: str) -> Any:
    """Read a state channel of the running graph, also one the node's own schema leaves out.

    Args:
        config: The config of the task, or None outside a graph.
        channel: The channel's name.

    Returns:
        The value, or None where there is none.
    """
    read = (config or {}).get(up.CONF, {}).get(up.CONFIG_KEY_READ)
    if read is None:
        return None
    try:
        return read(channel)
    except KeyError:
        return None


def runs_alone(config: RunnableConfig | None) -> bool:
    """Whether this task was sent one call, rather than made to run all calls of a message."""
    path = (config or {}).get("metadata", {}).get("langgraph_path")
    return path is None or path[0] == up.PUSH


@dataclass(frozen=True)
class Pause:
    """What this very task asked before it was interrupted.

    Attributes:
        ids: The calls it asked about.
        judged: The calls of the message as they were then. A call that is not among them was changed since.
        schema: The schema it asked in.
    """

    ids: frozenset[str]
    judged: Sequence[Mapping[str, Any]]
    schema: str


def asked_before(config: RunnableConfig | None, calls: Sequence[ToolCall]) -> Pause | None:
    """Return what this task asked about these calls, if it runs again after a pause and they are still the same."""
    saver, at = place_of(config)
    return None if saver is None or at is None else _pause(saver.get_tuple(at), task_id_of(config), calls)


async def aasked_before(config: RunnableConfig | None, calls: Sequence[ToolCall]) -> Pause | None:
    """Async twin of `asked_before`."""
    saver, at = place_of(config)
    return None if saver is None or at is None else _pause(await saver.aget_tuple(at), task_id_of(config), calls)


def is_answered(config: RunnableConfig | None) -> bool:
    """Whether there is an answer that this task could read, or has read before."""
    pad = (config or {}).get(up.CONF, {}).get(up.CONFIG_KEY_SCRATCHPAD)
    return pad is not None and (bool(pad.resume) or pad.get_null_resume() is not None)


def has_read_answer(config: RunnableConfig | None) -> bool:
    """Whether there is an answer that belongs to this very task."""
    pad = (config or {}).get(up.CONF, {}).get(up.CONFIG_KEY_SCRATCHPAD)
    return pad is not None and bool(pad.resume)


def ask(value: Any, read: Callable[[Any], T], config: RunnableConfig | None, *, again: bool, **options: Any) -> T:
    """Pause with a value, or read the answer to it.

    Two things that `interrupt` alone would let through are closed here. An answer that is addressed to
    no pause in particular stays on the checkpoint of the outermost graph, where a later pause of the same
    sub-agent would take it for its own. And an answer that is refused is saved with the error, so that
    every later answer would be ignored in its favour.

    Args:
        value: What the person is shown.
        read: Reads the answer. It raises `AnswerError` for one that can't be taken.
        config: The config of the task, or None outside a graph.
        again: Whether this task has asked this before; if not, nobody can have answered.
        **options: Passed to `interrupt`. A `response_schema` must apply `read`.

    Returns:
        What `read` made of the answer.
    """
    if config is None or up.CONFIG_KEY_SCRATCHPAD not in config.get(up.CONF, {}):
        return read(interrupt(value, **options))
    conf = config[up.CONF]
    pad = conf[up.CONFIG_KEY_SCRATCHPAD]
    place = pad.interrupt_counter()
    changes: dict[str, Any] = {"interrupt_counter": lambda: place}
    if not again and len(pad.resume) > place:  # an answer to what the calls were before they were changed
        changes["resume"] = pad.resume[:place]
        conf[up.CONFIG_KEY_SEND]([(up.RESUME, pad.resume[:place])])
    if not again or conf.get(up.CONFIG_KEY_RESUME_MAP) is not None:
        changes["get_null_resume"] = lambda consume=False: None
    own = {**config, up.CONF: {**conf, up.CONFIG_KEY_SCRATCHPAD: replace(pad, **changes)}}
    try:
        with running(cast(RunnableConfig, own)):
            answer = interrupt(value, **options)
        # A response schema has read it already.
        return cast(T, answer) if "response_schema" in options else read(answer)
    except GraphBubbleUp:
        raise
    except ValidationError as error:  # how langgraph reports an answer that `response_schema` refuses
        raise AnswerError("; ".join(one["msg"] for one in error.errors())) from error
    except Exception:  # also when a `when` or a path resolver fails on the edited call
        conf[up.CONFIG_KEY_SEND]([(up.RESUME, pad.resume[:place])])
        raise


def retire_answer(config: RunnableConfig | None) -> None:
    """Clear the answer without address from the outermost graph's checkpoint, once it was read here."""
    saver, at = _outermost(config)
    if saver is None or at is None:
        return
    for number in range(_tries(config)):
        if number:
            time.sleep(0.01)
        if _has_open_answer(saver.get_tuple(at)):
            saver.put_writes(at, [(up.RESUME, None)], up.NULL_TASK_ID)
            return


async def aretire_answer(config: RunnableConfig | None) -> None:
    """Async twin of `retire_answer`."""
    saver, at = _outermost(config)
    if saver is None or at is None:
        return
    for number in range(_tries(config)):
        if number:
            await asyncio.sleep(0.01)
        if _has_open_answer(await saver.aget_tuple(at)):
            await saver.aput_writes(at, [(up.RESUME, None)], up.NULL_TASK_ID)
            return


def _outermost(
    config: RunnableConfig | None,
) -> tuple[BaseCheckpointSaver[Any] | None, RunnableConfig | None]:
    """The checkpoint of the outermost graph, where this task runs in a graph below it, or left an answer unread."""
    saver = _saver(config)
    conf = (config or {}).get(up.CONF, {})
    checkpoint = (conf.get(up.CONFIG_KEY_CHECKPOINT_MAP) or {}).get("")
    if saver is None or checkpoint is None:
        return None, None
    if "|" not in conf.get(up.CONFIG_KEY_CHECKPOINT_NS, "") and not _is_left(conf):
        return None, None
    at = {"thread_id": conf.get("thread_id"), up.CONFIG_KEY_CHECKPOINT_NS: "", "checkpoint_id": checkpoint}
    return saver, {up.CONF: at}


def _tries(config: RunnableConfig | None) -> int:
    """How often to look: langgraph saves the answer in the background, maybe later than this task runs."""
    return 50 if _is_left((config or {}).get(up.CONF, {})) else 1


def _is_left(conf: Mapping[str, Any]) -> bool:
    pad = conf.get(up.CONFIG_KEY_SCRATCHPAD)
    return pad is not None and pad.get_null_resume() is not None


def _has_open_answer(found: CheckpointTuple | None) -> bool:
    return any(
        task == up.NULL_TASK_ID and channel == up.RESUME and value is not None
        for task, channel, value in (found.pending_writes if found else None) or ()
    )


def _saver(config: RunnableConfig | None) -> BaseCheckpointSaver[Any] | None:
    found = (config or {}).get(up.CONF, {}).get(up.CONFIG_KEY_CHECKPOINTER)
    return found if isinstance(found, BaseCheckpointSaver) else None


def place_of(config: RunnableConfig | None) -> tuple[BaseCheckpointSaver[Any] | None, RunnableConfig | None]:
    """The saver and the checkpoint that this task started from."""
    saver = _saver(config)
    if saver is None or config is None:
        return None, None
    conf = config[up.CONF]
    namespace = conf.get(up.CONFIG_KEY_CHECKPOINT_NS, "").rpartition("|")[0]
    at = {"thread_id": conf.get("thread_id"), up.CONFIG_KEY_CHECKPOINT_NS: namespace}
    checkpoint = (conf.get(up.CONFIG_KEY_CHECKPOINT_MAP) or {}).get(namespace)
    if checkpoint is not None:
        at["checkpoint_id"] = checkpoint
    return saver, cast(RunnableConfig, {up.CONF: at})


def task_id_of(config: RunnableConfig | None) -> str:
    """The id of the task that runs."""
    namespace: str = (config or {}).get(up.CONF, {}).get(up.CONFIG_KEY_CHECKPOINT_NS, "")
    return namespace.rpartition(":")[2]


def _values(found: CheckpointTuple | None, task_id: str) -> list[Any]:
    values: list[Any] = []
    for task, channel, value in (found.pending_writes if found else None) or ():
        if task == task_id and channel == up.INTERRUPT:
            values += [one.value for one in (value if isinstance(value, Sequence) else (value,))]
    return values


def _pause(found: CheckpointTuple | None, task_id: str, calls: Sequence[ToolCall]) -> Pause | None:
    values = _values(found, task_id)
    forms = dict(_forms(values, calls))
    ids = forms.keys() | _turn_ids(values)
    stored = found.checkpoint["channel_values"].get("messages") if found else None
    message, _ = latest(stored if isinstance(stored, list) else [])
    judged = list(message.tool_calls) if message is not None else []
    now = {call["id"]: call for call in calls}
    for key in ids:
        call = now.get(key)
        same = call is not None and (
            forms[key] == (call["name"], call["args"]) if key in forms else not judged or call in judged
        )
        if not same:
            return None
    legacy = any(isinstance(value, (list, tuple)) for value in values)
    return Pause(frozenset(ids), judged, "human_interrupt" if legacy else "hitl") if ids else None


def _parts(values: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for value in values:
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(part, Mapping):
                yield part


def _turn_ids(values: Sequence[Any]) -> set[str]:
    """Every call of a turn that is asked about one by one, also those that were answered before."""
    return {key for part in _parts(values) if "action_request" in part for key in part.get("tool_call_ids", ())}


def _forms(values: Sequence[Any], calls: Sequence[ToolCall]) -> Iterator[tuple[str, tuple[str, Any]]]:
    """The calls a pause shows, by id, in the form it shows them. langchain's own pauses name no ids."""
    for part in _parts(values):
        if "action_requests" in part:
            actions = part["action_requests"]
            ids = part.get("tool_call_ids") or list(_matching(actions, calls))
            yield from zip(ids, ((one["name"], one["args"]) for one in actions), strict=False)
        elif "action_request" in part and part.get("tool_call_id") is not None:
            yield part["tool_call_id"], (part["action_request"]["action"], part["action_request"]["args"])
        elif part.get("type") == "tool_approval":
            yield part["tool_call_id"], (part["name"], part["args"])


def _matching(actions: Sequence[Mapping[str, Any]], calls: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    left = list(calls)
    for action in actions:
        for call in left:
            if call["name"] == action["name"] and call["args"] == action["args"]:
                left.remove(call)
                yield call["id"]
                break
