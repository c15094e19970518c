"""One thread with gated calls, the people who answer it, and what must hold whatever they do."""

from __future__ import annotations

import asyncio
import inspect
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.types import Command, interrupt

from agentkit import hitl
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import call
from tests.approvals.shapes import build_shape

from .switch import AsyncFileSaver, AsyncMemorySaver, FileSaver, MemorySaver, astep, postgres_savers, step

# Called by a tool that is to be cancelled when it has started: ends with its run.
UNTIL_CANCELLED: ContextVar[Callable[[], Any] | None] = ContextVar("until_cancelled", default=None)

GO: Any = {"messages": [("user", "go")]}
GATES: dict[str, dict[str, Any]] = {
    "batched": {},
    "per_call": {"interrupt_mode": "per_call"},
    "human_interrupt": {"schema": "human_interrupt"},
    "one_by_one": {"one_by_one": True},
}
if "one_by_one" not in inspect.signature(HumanInTheLoopMiddleware).parameters:
    del GATES["one_by_one"]


@dataclass(frozen=True)
class Call:
    """A call of the script: `send` waits for a person, `look` does not, `book` asks by an interrupt of its own.

    `fails` says what happens to the first run of it: nothing, it raises, or it is cancelled (async only).
    """

    tool: str
    fails: str = ""


@dataclass(frozen=True)
class Plan:
    """The agent, where it is, and what its model calls.

    A call is known by its number, which is its argument `x`; an edit adds a multiple of 100.
    """

    shape: str = "alone"
    kind: str = "create_agent"
    gate: str = "batched"
    saver: str = "memory"
    is_async: bool = False
    durability: str = "sync"
    script: tuple[tuple[Call, ...], ...] = ((Call("send"),),)

    @property
    def calls(self) -> list[Call]:
        return [one for turn in self.script for one in turn]

    def turn(self, number: int) -> list[Any]:
        first = sum(map(len, self.script[:number]))
        return [call(one.tool, f"c{first + n}", x=first + n) for n, one in enumerate(self.script[number])]


class Journal:
    """What happened, in order, also in other processes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def write(self, *words: Any) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())

    def lines(self) -> list[str]:
        return Path(self.path).read_text().splitlines()

    def close(self) -> None:
        os.close(self._file)
        os.unlink(self.path)


def check(lines: Sequence[str]) -> None:
    """Only in a form that a person approved, and once unless it failed or a person said again."""
    approved: set[int] = set()
    runs: Counter[int] = Counter()
    allowed: Counter[int] = Counter()
    again: set[str] = set()
    for line in lines:
        word, _, rest = line.partition(" ")
        assert word != "broken", lines
        if word == "approve":
            approved.add(int(rest))
        elif word == "again" and rest not in again:
            again.add(rest)
            allowed[int(rest.split()[0])] += 1
        elif word == "failed":
            allowed[int(rest) % 100] += 1
        elif word == "run":
            assert int(rest) in approved, ("ran without approval", line, lines)
            runs[int(rest) % 100] += 1
            assert runs[int(rest) % 100] <= 1 + allowed[int(rest) % 100], ("ran twice", line, lines)


class Stage:
    """Savers and agents of one process, which many worlds use one after the other: threads are what differs."""

    def __init__(self, folder: Path, url: str = "", loop: asyncio.AbstractEventLoop | None = None) -> None:
        self.folder, self.url, self.pid = folder, url, os.getpid()
        self.loop = loop or asyncio.new_event_loop()
        self.world: World | None = None
        self._savers: dict[Any, Any] = {}
        self._graphs: dict[Any, Any] = {}
        self._contexts: list[Any] = []

    async def graph(self, plan: Plan) -> Any:
        key = (plan.shape, plan.kind, plan.gate, plan.saver, plan.is_async)
        if key not in self._graphs:
            gate = HumanInTheLoopMiddleware({"send": True}, **GATES[plan.gate])
            saver = await self._saver(plan)
            self._graphs[key] = build_shape(
                plan.shape, plan.kind, [self._model] * 6, self._tools(), saver, middleware=[gate]
            )
        return self._graphs[key]

    async def _saver(self, plan: Plan) -> Any:
        key = plan.saver, plan.is_async
        if key not in self._savers:
            self._savers[key] = await self._open(*key)
        return self._savers[key]

    async def _open(self, kind: str, is_async: bool) -> Any:
        if kind == "memory":
            return AsyncMemorySaver() if is_async else MemorySaver()
        if kind == "sqlite":
            return await self._open_file(is_async)
        context = postgres_savers()[is_async].from_conn_string(self.url)
        self._contexts.append(context)
        saver = (await context.__aenter__()) if is_async else context.__enter__()
        if is_async:
            await saver.setup()
        else:
            saver.setup()
        return saver

    async def _open_file(self, is_async: bool) -> Any:
        path = str(self.folder / "threads.sqlite")
        if not is_async:
            connection = sqlite3.connect(path, check_same_thread=False, timeout=60)
            connection.execute("pragma synchronous=off")  # processes die here, machines don't
            return FileSaver(connection)
        context = AsyncFileSaver.from_conn_string(path)
        self._contexts.append(context)
        saver = await context.__aenter__()
        await saver.setup()
        await saver.conn.execute("pragma synchronous=off")
        await saver.conn.execute("pragma busy_timeout=60000")
        return saver

    async def close(self) -> None:
        for context in self._contexts:
            if hasattr(context, "__aexit__"):
                await context.__aexit__(None, None, None)
            else:
                context.__exit__(None, None, None)

    def _model(self, messages: Sequence[Any]) -> Any:
        world = self.world
        assert world is not None
        world.check_history(messages)
        turn = sum(isinstance(message, AIMessage) for message in messages)
        return world.plan.turn(turn) if turn < len(world.plan.script) else "end"

    def _tools(self) -> list[Any]:
        def send(x: int) -> str:
            assert self.world is not None
            return self.world.send(x)

        async def asend(x: int) -> str:
            assert self.world is not None
            return await self.world.asend(x)

        def look(x: int) -> str:
            return f"seen {x}"

        def book(x: int) -> str:
            return f"booked {interrupt('sure?')}"

        async def abook(x: int) -> str:
            return book(x)

        async def alook(x: int) -> str:
            return look(x)

        make = StructuredTool.from_function
        return [
            make(send, asend, name="send", description="Send."),
            make(look, alook, name="look", description="Look."),
            make(book, abook, name="book", description="Book."),
        ]


Answers = dict[str, Any]


class World:
    """One thread.

    Args:
        stage: The savers and agents.
        plan: The agent and the script.
        thread: The id of the thread, new by default.
        journal: The journal of a thread that goes on.
    """

    numbers = count()

    def __init__(self, stage: Stage, plan: Plan, thread: str = "", journal: str = "") -> None:
        self.stage, self.plan = stage, plan
        thread = thread or f"{os.getpid()}-{next(self.numbers)}"
        self.config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": 60}
        self.thread = thread
        self.journal = Journal(journal or tempfile.mktemp(dir=stage.folder))
        self.edits = count(1)
        stage.world = self

    async def open(self) -> None:
        self.graph = await self.stage.graph(self.plan)

    async def close(self) -> None:
        saver = self.graph.checkpointer
        if self.plan.is_async:
            await saver.adelete_thread(self.thread)
        else:
            saver.delete_thread(self.thread)
        self.journal.close()

    # What runs.

    def _begin(self, x: int) -> str:
        runs = sum(line.startswith("run ") and int(line[4:]) % 100 == x % 100 for line in self.journal.lines())
        self.journal.write("run", x)
        check(self.journal.lines())
        return "" if runs else self.plan.calls[x % 100].fails

    def _fail(self, x: int) -> None:
        self.journal.write("failed", x)
        raise RuntimeError("network")

    def send(self, x: int) -> str:
        fails = self._begin(x)
        step("tool")
        if fails == "raise":
            self._fail(x)
        step("tool ends")
        return f"sent {x}"

    async def asend(self, x: int) -> str:
        fails = self._begin(x)
        await astep("tool")
        if fails == "raise":
            self._fail(x)
        if fails == "cancel" and (until_cancelled := UNTIL_CANCELLED.get()) is not None:
            await until_cancelled()
        await astep("tool ends")
        return f"sent {x}"

    def check_history(self, messages: Sequence[Any]) -> None:
        """Every call is answered exactly once."""
        calls = [one["id"] for m in messages if isinstance(m, AIMessage) for one in m.tool_calls]
        found = [m.tool_call_id for m in messages if m.type == "tool"]
        if sorted(calls) != sorted(found):
            self.journal.write("broken history", calls, found)

    # How it is driven, sync or async.

    async def run(self, value: Any, *, stream: bool = False) -> Any:
        options = {"durability": self.plan.durability}
        if self.plan.is_async:
            if stream:
                return [one async for one in self.graph.astream(value, self.config, **options)]
            return await self._cancelled(self.graph.ainvoke(value, self.config, **options))
        if stream:
            return list(self.graph.stream(value, self.config, **options))
        return self.graph.invoke(value, self.config, **options)

    async def resume(self, answers: Any) -> Any:
        options = {"durability": self.plan.durability}
        if self.plan.is_async:
            return await self._cancelled(hitl.aresume(self.graph, self.config, answers, **options))
        return hitl.resume(self.graph, self.config, answers, **options)

    async def _cancelled(self, run: Any) -> Any:
        """Run it, and cancel it when a tool that is to be cancelled has started."""
        if not any(one.fails == "cancel" for one in self.plan.calls):
            return await run
        entered, over, tools = asyncio.Event(), asyncio.Event(), set()

        async def until_cancelled() -> None:
            tools.add(asyncio.current_task())
            entered.set()
            await over.wait()
            raise asyncio.CancelledError

        token = UNTIL_CANCELLED.set(until_cancelled)
        task = asyncio.ensure_future(run)
        UNTIL_CANCELLED.reset(token)
        watch = asyncio.ensure_future(entered.wait())
        await asyncio.wait([task, watch], return_when=asyncio.FIRST_COMPLETED)
        watch.cancel()
        if entered.is_set():
            task.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            self.journal.write("cancelled")
            return None
        finally:
            over.set()  # a tools node leaves the other calls running when one fails or interrupts
            if tools:
                await asyncio.wait(tools)
            for _ in range(20):  # what awaited them ends too
                await asyncio.sleep(0)

    async def pending(self) -> list[hitl.PendingAction]:
        if self.plan.is_async:
            return await hitl.apending(self.graph, self.config)
        return hitl.pending(self.graph, self.config)

    async def state(self) -> Any:
        return await self.graph.aget_state(self.config) if self.plan.is_async else self.graph.get_state(self.config)

    async def waits_alone(self) -> bool:
        """Whether langgraph has one interrupt, so that a resume value needs no address."""
        return sum(len(task.interrupts) for task in (await self.state()).tasks) == 1

    async def attempt(self, act: Callable[[], Any]) -> BaseException | None:
        """Do something that may be refused. Returns why, if it was; anything else that goes wrong is a fault."""
        try:
            await act()
        except hitl.AnswerError as error:
            return error
        except RuntimeError as error:
            if str(error) != "network":
                self.journal.write("broken", repr(error))
                raise
        return None

    # What people answer.

    def decide(self, waiting: Sequence[hitl.PendingAction], kinds: Sequence[str]) -> Answers:
        """Answers by interrupt id. What they approve is written down before they are sent."""
        answers: Answers = {}
        for place, action in enumerate(waiting):
            if action.tool is None:
                answers[action.interrupt_id] = "yes"
                continue
            decision = self._decision(action, kinds[place % len(kinds)])
            answers.setdefault(action.interrupt_id, {"decisions": {}})["decisions"][action.tool_call_id] = decision
        return answers

    def _decision(self, action: hitl.PendingAction, kind: str) -> dict[str, Any]:
        kind = kind if kind in action.allowed_decisions else "approve"
        if kind in ("reject", "respond"):
            return {"type": kind, "message": "because"}
        x: int = action.args["x"]
        decision: dict[str, Any] = {"type": kind}
        if kind == "edit":
            x = x % 100 + 100 * next(self.edits)
            decision["edited_action"] = {"name": action.tool, "args": {"x": x}}
        self.journal.write("approve", x)
        if getattr(action, "may_have_run", ""):
            decision["again"] = True
            self.journal.write("again", x % 100, getattr(action, "request_id", None))
        return decision

    async def send_answer(self, how: str, waiting: Sequence[hitl.PendingAction], answers: Answers) -> None:
        """Send answers that are bound to what was shown, in one of the ways there are."""
        if how == "resume":
            await self.resume(answers)
        elif how == "plain":
            alone = await self.waits_alone()
            await self.run(Command(resume=next(iter(answers.values())) if alone else answers))
        else:
            await self.run(hitl.command(waiting, answers), stream=how == "stream")

    # The end.

    async def is_over(self) -> bool:
        state = await self.state()
        return bool(state.values) and not state.tasks

    async def check_end(self) -> None:
        messages = (await self.state()).values["messages"]
        self.check_history(messages)
        check(self.journal.lines())
        assert messages[-1].content == "end", messages

    async def finish(self, kinds: Sequence[str], most: int = 40) -> None:
        """Bring the thread to its end: start it, answer what waits, run on what does not."""
        for _ in range(most):
            state = await self.state()
            if not state.values and not state.next:
                await self.attempt(lambda: self.run(GO))
            elif waiting := await self.pending():
                answers = self.decide(waiting, kinds)
                await self.attempt(lambda answers=answers: self.resume(answers))
            elif await self.is_over():
                return
            else:
                await self.attempt(lambda: self.run(None))
        raise AssertionError(("the thread can't be brought to its end", self.journal.lines()))


def shown(waiting: Sequence[hitl.PendingAction]) -> list[Any]:
    """What waits, to compare."""
    return sorted([a.tool or "", a.tool_call_id or "", sorted(a.args.items())] for a in waiting)


def errors(waiting: Sequence[hitl.PendingAction]) -> list[str]:
    """What was said to be wrong with an answer."""
    parts = [part for a in waiting for part in (a.value if isinstance(a.value, (list, tuple)) else [a.value])]
    return [part["error"] for part in parts if isinstance(part, Mapping) and part.get("error")]
