"""The record of a tool call: what was decided about it, when it started, and how it ended.

One record belongs to one interrupt. It is a small checkpoint of the thread in a checkpoint namespace of agentkit's own.
Its events are pending writes: a saver keeps the first value written under one (task id, index) and ignores later ones,
so that of two runs that decide or start the same call, one wins, without a clock or a lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any, Literal, TypeVar
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

from langchain_core.messages import ToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, empty_checkpoint

T = TypeVar("T")

NAMESPACE = "agentkit"
"""The checkpoint namespace of the records."""
DECIDED, STARTED, ENDED = "agentkit:decided", "agentkit:started", "agentkit:ended"

Outcome = Literal["finished", "failed", "interrupted"]

# Writes of this process that are not read back yet: a saver in memory looks and writes in two steps.
_WRITING: dict[tuple[Any, ...], str] = {}
# The started calls whose run is alive in this process. A call of another process may be slow or dead: nobody can tell.
_RUNNING: set[str] = set()
_PROCESS = [str(uuid4())]


def _after_fork() -> None:
    _RUNNING.clear()
    _PROCESS[0] = str(uuid4())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# --- one body for sync and async: steps yield the calls that have two forms ---


@dataclass(frozen=True)
class MethodCall:
    """A call of a saver's or graph's method, whose async twin has the same name with an `a` in front."""

    target: Any
    method: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def run(self) -> Any:
        return getattr(self.target, self.method)(*self.args, **self.kwargs)

    async def arun(self) -> Any:
        return await getattr(self.target, "a" + self.method)(*self.args, **self.kwargs)


@dataclass(frozen=True)
class ListCall:
    """All that a saver lists for a config."""

    saver: BaseCheckpointSaver[Any]
    config: RunnableConfig | None

    def run(self) -> list[CheckpointTuple]:
        return list(self.saver.list(self.config))

    async def arun(self) -> list[CheckpointTuple]:
        return [found async for found in self.saver.alist(self.config)]


@dataclass(frozen=True)
class HandlerCall:
    """A call of the handler that a middleware wraps."""

    handler: Callable[[Any], Any]
    request: Any

    def run(self) -> Any:
        return self.handler(self.request)

    async def arun(self) -> Any:
        return await self.handler(self.request)


Steps = Generator["MethodCall | ListCall | HandlerCall", Any, T]


def run(steps: Steps[T]) -> T:
    """Run steps from sync code."""
    try:
        call = next(steps)
        while True:
            try:
                answer = call.run()
            except BaseException as error:  # noqa: BLE001, PERF203 - the steps decide what it means
                call = steps.throw(error)
            else:
                call = steps.send(answer)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


async def arun(steps: Steps[T]) -> T:
    """Run steps from async code."""
    try:
        call = next(steps)
        while True:
            try:
                answer = await call.arun()
            except BaseException as error:  # noqa: BLE001, PERF203
                call = steps.throw(error)
            else:
                call = steps.send(answer)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


# --- the identity of a call ---


def canonical(value: Any) -> str:
    """Write a value in a form that only the same value has: `True` is not `1`, NaN is itself."""
    if isinstance(value, Mapping):
        items = sorted(f"{canonical(key)}:{canonical(item)}" for key, item in value.items())
        return "{" + ",".join(items) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical, value)) + "]"
    return repr(value) if isinstance(value, str) else f"{type(value).__name__} {value!r}"


def form(call: Mapping[str, Any]) -> str:
    """The name and arguments of a call or action, in canonical form."""
    return canonical([call["name"], call["args"]])


def digest(*parts: Any) -> str:
    """A short fingerprint of values."""
    return sha256(canonical(parts).encode()).hexdigest()[:16]


def call_key(message_id: str | None, position: int, call: ToolCall) -> str:
    """The identity of a call within its record: AI message, position, id, name and arguments."""
    return f"{position}:{call['id']}:{digest(message_id, call['name'], call['args'])}"


# --- the record ---


@dataclass(frozen=True)
class Record:
    """What is known about the calls of one interrupt, by call key and attempt.

    Attributes:
        decided: The decision, with `name`, `args`, `by`, `note` and `at`. Attempt 0 is the first; a later one is a
            decision about a call that may have run.
        started: When (`at`) and by which `run` it was started.
        ended: Its `outcome`, and the `result` if it finished.
    """

    decided: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    started: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    ended: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)

    def decision(self, key: str) -> dict[str, Any] | None:
        """The latest decision about a call."""
        attempts = [attempt for one, attempt in self.decided if one == key]
        return self.decided[key, max(attempts)] if attempts else None

    def in_doubt(self, key: str) -> dict[str, Any] | None:
        """The start of a call that has not ended and that nobody has decided about since."""
        attempts = [attempt for one, attempt in self.started if one == key]
        if not attempts or (key, max(attempts)) in self.ended or (key, max(attempts) + 1) in self.decided:
            return None
        return self.started[key, max(attempts)]


def parse(found: CheckpointTuple | None) -> Record:
    """Read the events of a record."""
    record = Record()
    writes = list((found.pending_writes if found else None) or ())
    for _, channel, value in writes:
        if channel == DECIDED:
            about = {name: value[name] for name in ("by", "note", "at", "token")}
            for key, entry in value["calls"].items():
                record.decided.setdefault((key, value["attempt"]), {**entry, **about})
        elif channel == STARTED:
            record.started[value["call"], value["attempt"]] = value
        elif channel == ENDED:
            record.ended[value["call"], value["attempt"]] = value
    return record


@dataclass(frozen=True)
class RecordLocation:
    """Where a record is stored."""

    saver: BaseCheckpointSaver[Any]
    thread_id: str
    record_id: str

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {**self._namespace, "checkpoint_id": str(UUID(hex=self.record_id))}}

    @property
    def _namespace(self) -> dict[str, Any]:
        return {"thread_id": self.thread_id, "checkpoint_ns": NAMESPACE}

    def create(self) -> MethodCall:
        checkpoint = {**empty_checkpoint(), "id": str(UUID(hex=self.record_id))}
        metadata = {"source": "update", "step": -1, "parents": {}}
        return MethodCall(self.saver, "put", ({"configurable": self._namespace}, checkpoint, metadata, {}))

    def read(self) -> MethodCall:
        return MethodCall(self.saver, "get_tuple", (self.config,))

    def write(self, channel: str, value: Any, slot: str) -> MethodCall:
        return MethodCall(self.saver, "put_writes", (self.config, [(channel, value)], str(uuid5(NAMESPACE_OID, slot))))


def records_of(saver: BaseCheckpointSaver[Any], thread_id: str) -> Steps[dict[str, Record]]:
    """Read all records of a thread, by record id."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": NAMESPACE}}
    found = yield ListCall(saver, config)
    return {UUID(one.checkpoint["id"]).hex: parse(one) for one in found}


def load(at: RecordLocation) -> Steps[Record]:
    """Read a record. It is empty where nothing was decided."""
    return parse((yield at.read()))


def _write_first(at: RecordLocation, channel: str, value: dict[str, Any], slot: str, *, create: bool) -> Steps[Record]:
    """Write an event unless the slot is taken, and return the record, which says whose event it holds."""
    key = (id(at.saver), at.thread_id, at.record_id, slot)
    if _WRITING.setdefault(key, value["token"]) != value["token"]:
        return (yield from load(at))
    try:
        if create:
            yield at.create()
        yield at.write(channel, value, slot)
        found = yield at.read()
        if found is None:  # a saver that dropped the record, such as a copied thread
            yield at.create()
            yield at.write(channel, value, slot)
            found = yield at.read()
        return parse(found)
    finally:
        _WRITING.pop(key, None)


def decide(
    at: RecordLocation, calls: Mapping[str, Mapping[str, Any]], attempt: int, by: str | None, note: str | None
) -> Steps[tuple[Record, bool]]:
    """Write down decisions, unless others were written first.

    Args:
        at: The record.
        calls: By call key: `id`, `name`, `args` and `decision`.
        attempt: 0, or the attempt that a decision about a call that may have run is for.
        by: Who decided.
        note: What they noted.

    Returns:
        The record, and whether it holds these decisions rather than those that came first.
    """
    value = {"calls": dict(calls), "attempt": attempt, "by": by, "note": note, "at": now(), "token": str(uuid4())}
    record = yield from _write_first(at, DECIDED, value, f"decided {attempt} {sorted(calls)}", create=attempt == 0)
    first = [record.decided.get((key, attempt)) for key in calls]
    return record, all(entry is not None and entry["token"] == value["token"] for entry in first)


@dataclass(frozen=True)
class Attempt:
    """A start that this run won."""

    at: RecordLocation
    key: str
    number: int
    token: str

    def end(self, outcome: Outcome, result: Any = None) -> Steps[None]:
        """Write down how the call ended."""
        value = {"call": self.key, "attempt": self.number, "outcome": outcome, "result": result, "at": now()}
        yield self.at.write(ENDED, value, f"ended {self.number} {self.key}")

    def close(self) -> None:
        """The run that started the call is over, however it ended."""
        _RUNNING.discard(self.token)


@dataclass(frozen=True)
class Started:
    """A start that another run won, and of which no end is known."""

    number: int
    at: str
    run: str
    token: str

    @property
    def is_running(self) -> bool:
        """Whether its run is known to be alive."""
        return is_running(self.token)


@dataclass(frozen=True)
class Ended:
    """A call that has finished before."""

    result: Any


def start(
    at: RecordLocation, key: str, run_name: str, *, again: bool
) -> Steps[Attempt | Started | Ended | dict[str, Any]]:
    """Start a call, unless it was started before.

    Args:
        at: The record.
        key: The call.
        run_name: The run that starts it.
        again: Whether a call that may have run is simply run again.

    Returns:
        The attempt, if this run may run the tool; else how the call ended, or that it was started and may have run, or
        the decision about it that keeps it from running again.
    """
    number = 0
    while True:
        token = str(uuid4())
        value: dict[str, Any] = {
            "call": key,
            "attempt": number,
            "at": now(),
            "run": run_name,
            "token": token,
            "process": _PROCESS[0],
        }
        record = yield from _write_first(at, STARTED, value, f"started {number} {key}", create=False)
        first = record.started.get((key, number))
        if first is not None and first["token"] == token:
            _RUNNING.add(token)
            return Attempt(at, key, number, token)
        ended = record.ended.get((key, number))
        if ended is not None and ended["outcome"] == "finished":
            return Ended(ended["result"])
        if ended is None:
            decision = record.decided.get((key, number + 1))
            if decision is not None and decision["decision"]["type"] in ("reject", "respond"):
                return decision
            if first is None or (decision is None and (not again or is_running(first["token"]))):
                first = first or value
                return Started(number, first["at"], first["run"], first["token"])
        number += 1


def is_running(token: str) -> bool:
    """Whether the run that started a call is alive in this process."""
    return token in _RUNNING


def state_of_run(started: Mapping[str, Any]) -> Literal["running", "over", "unknown"]:
    """What this process can tell about the run that started a call."""
    if is_running(started["token"]):
        return "running"
    return "over" if started["process"] == _PROCESS[0] else "unknown"


def now() -> str:
    """The time, for people to read. Nothing is decided by it."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def sentence_about(name: str, call_id: object, started: Mapping[str, Any]) -> str:
    """Say that a call may have run."""
    when, by = started["at"], started["run"]
    return f"{name} ({call_id}) was started at {when} by run {by} and has not ended: it may have run."
