"""Where a run stops, at a call of its saver or in a tool, so that another run goes by, or that it dies there."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextvars import ContextVar
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

PATIENCE = 120  # seconds until a run counts as stuck; nothing waits for it to pass

AT: ContextVar[Switch | None] = ContextVar("at", default=None)


class Switch:
    """Stops the run that carries it once: at its n-th step, or when its first tool starts.

    Args:
        at: The number of the step, or "tool".
    """

    def __init__(self, at: int | str) -> None:
        self.at, self.steps, self.is_over = at, 0, False
        self._lock = threading.Lock()

    def is_here(self, what: str) -> bool:
        with self._lock:
            if not self.counts(what):
                return False
            self.steps += 1
            here = what == "tool" if self.at == "tool" else self.steps == self.at
            if self.is_over or not here:
                return False
            self.is_over = True
            return True

    def counts(self, what: str) -> bool:
        return True

    def stop(self) -> None:
        raise NotImplementedError

    async def astop(self) -> None:
        self.stop()


class ThreadSwitch(Switch):
    """The run waits until `go_on` is set."""

    def __init__(self, at: int | str) -> None:
        super().__init__(at)
        self.reached, self.go_on = threading.Event(), threading.Event()

    def stop(self) -> None:
        self.reached.set()
        assert self.go_on.wait(PATIENCE), "the other run never ended"


class TaskSwitch(Switch):
    """Async twin of `ThreadSwitch`."""

    def __init__(self, at: int | str) -> None:
        super().__init__(at)
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    def stop(self) -> None:
        """A saver in memory is called by its async methods, which stopped already."""
        self.is_over = False

    async def astop(self) -> None:
        self.reached.set()
        await asyncio.wait_for(self.go_on.wait(), PATIENCE)


class PipeSwitch(Switch):
    """The run waits in a process of its own: it says so through one pipe and goes on when the other one closes."""

    def __init__(self, at: int | str) -> None:
        super().__init__(at)
        self.reached, self.go_on = os.pipe(), os.pipe()

    def in_child(self) -> None:
        os.close(self.reached[0])
        os.close(self.go_on[1])

    def in_parent(self) -> None:
        os.close(self.reached[1])
        os.close(self.go_on[0])

    def stop(self) -> None:
        os.write(self.reached[1], b".")
        os.read(self.go_on[0], 1)

    def wait(self) -> None:
        """Wait until the run is there, or over."""
        os.read(self.reached[0], 1)
        os.close(self.reached[0])

    def release(self) -> None:
        os.close(self.go_on[1])


class Kill(Switch):
    """The process dies, as by SIGKILL of the system."""

    def counts(self, what: str) -> bool:
        return what in ("put", "put_writes", "tool", "tool ends")

    def stop(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)
        threading.Event().wait()


def step(what: str) -> None:
    """A step of a run, where it may stop."""
    switch = AT.get()
    if switch is not None and switch.is_here(what):
        switch.stop()


async def astep(what: str) -> None:
    """Async twin of `step`."""
    switch = AT.get()
    if switch is not None and switch.is_here(what):
        await switch.astop()


class _Sync:
    """Steps before and after each call of a saver."""

    def get_tuple(self, *args: Any) -> Any:
        step("get_tuple")
        found = super().get_tuple(*args)  # type: ignore[misc]
        step("get_tuple")
        return found

    def put(self, *args: Any) -> Any:
        step("put")
        found = super().put(*args)  # type: ignore[misc]
        step("put")
        return found

    def put_writes(self, *args: Any) -> None:
        step("put_writes")
        super().put_writes(*args)  # type: ignore[misc]
        step("put_writes")


class _Async:
    """Async twin of `_Sync`."""

    async def aget_tuple(self, *args: Any) -> Any:
        await astep("get_tuple")
        found = await super().aget_tuple(*args)  # type: ignore[misc]
        await astep("get_tuple")
        return found

    async def aput(self, *args: Any) -> Any:
        await astep("put")
        found = await super().aput(*args)  # type: ignore[misc]
        await astep("put")
        return found

    async def aput_writes(self, *args: Any) -> None:
        await astep("put_writes")
        await super().aput_writes(*args)  # type: ignore[misc]
        await astep("put_writes")


class MemorySaver(_Sync, InMemorySaver):
    """In memory, for sync runs."""


class AsyncMemorySaver(_Async, InMemorySaver):
    """In memory, for async runs."""


class FileSaver(_Sync, SqliteSaver):
    """SQLite."""


class AsyncFileSaver(_Async, AsyncSqliteSaver):
    """SQLite, async."""


def postgres_savers() -> tuple[Any, Any]:
    """PostgreSQL, sync and async."""
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    return type("ServerSaver", (_Sync, PostgresSaver), {}), type("AsyncServerSaver", (_Async, AsyncPostgresSaver), {})
