"""`hitl.waiting`: which threads of a saver wait for a person, and what is read to find them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from agentkit import _upstream as up
from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import ScriptedChatModel, call

from .conftest import Tools
from .test_savers import SAVERS, Store

EVENTS = ("agentkit", "agentkit:started", "agentkit:ended")
NOW = "2026-01-01T00:00:00+00:00"


class Threads:
    """Threads of one saver, driven sync or async."""

    def __init__(self, saver: Any, is_async: bool) -> None:
        self.saver, self.is_async, self.prefix = saver, is_async, ""

    def agent(self, *script: Any, **kwargs: Any) -> Any:
        script = script or ([call("send", "c1", x=1), call("send", "c2", x=2)], "done")
        kwargs = {"interrupt_on": {"send": True}, **kwargs}
        return create_agent(ScriptedChatModel(script=list(script)), Tools().all, checkpointer=self.saver, **kwargs)

    def config(self, thread: str) -> Any:
        return {"configurable": {"thread_id": self.prefix + thread}}

    async def go(self, agent: Any, thread: str, value: Any = None) -> Any:
        value = {"messages": [("user", "go")]} if value is None else value
        config = self.config(thread)
        return await agent.ainvoke(value, config) if self.is_async else agent.invoke(value, config)

    async def resume(self, agent: Any, thread: str, decisions: Any) -> Any:
        config = self.config(thread)
        if self.is_async:
            return await hitl.aresume(agent, config, decisions)
        return hitl.resume(agent, config, decisions)

    async def waiting(self, *args: Any, **kwargs: Any) -> list[hitl.WaitingThread]:
        if self.is_async:
            found = await hitl.awaiting(self.saver, *args, **kwargs)
        else:
            found = hitl.waiting(self.saver, *args, **kwargs)
        return [entry for entry in found if entry.thread_id.startswith(self.prefix)]

    async def names(self, *args: Any, **kwargs: Any) -> list[str]:
        return [entry.thread_id.removeprefix(self.prefix) for entry in await self.waiting(*args, **kwargs)]

    async def started(self, thread: str, record: str, ended: bool) -> None:
        """Write down that a call was started, as a run does that is killed then."""
        at = {**self.config(thread)["configurable"], "checkpoint_ns": "agentkit"}
        location: Any = {"configurable": {**at, "checkpoint_id": str(UUID(hex=record))}}
        entry = {"id": "c1", "name": "send", "args": {"x": 1}, "decision": {"type": "approve"}}
        decided = {"calls": {"0:c1": entry}, "attempt": 0, "by": None, "note": None, "at": NOW, "token": "t"}
        start = {"call": "0:c1", "attempt": 0, "at": NOW, "run": "run-1", "token": "t", "process": "another"}
        end = {"call": "0:c1", "attempt": 0, "outcome": "finished", "result": None, "at": NOW}
        checkpoint = {**empty_checkpoint(), "id": str(UUID(hex=record))}
        await self._call("put", {"configurable": at}, checkpoint, {"source": "update", "step": -1, "parents": {}}, {})
        events = {"decided": decided, "started": start, **({"ended": end} if ended else {})}
        for name, value in events.items():
            await self._call("put_writes", location, [(f"agentkit:{name}", value)], f"task-{name}")

    async def _call(self, method: str, *args: Any) -> Any:
        return await getattr(self.saver, f"a{method}")(*args) if self.is_async else getattr(self.saver, method)(*args)


@pytest.fixture(params=SAVERS)
async def threads(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Threads]:
    postgres = request.param.startswith("postgres")
    url = request.getfixturevalue("postgres_url") if postgres else ""
    store = Store(request.param, tmp_path / "threads.sqlite", url)
    async with store.stack:
        made = Threads(await store.open(), store.is_async)
        made.prefix = f"{store.thread}-"  # the tests share one PostgreSQL
        yield made


async def test_the_threads_that_wait_are_listed_the_latest_first_and_in_pages(threads: Threads) -> None:
    agent = threads.agent()
    for name in ("first", "finished", "second", "third"):
        await threads.go(threads.agent(), name)
    await threads.resume(agent, "finished", [{"type": "reject"}] * 2)
    assert await threads.names() == ["third", "second", "first"]
    page = await threads.waiting(limit=2)
    assert await threads.names(limit=2, before=page[-1].checkpoint_id) == ["first"]
    assert await threads.names(thread=f"{threads.prefix}second") == ["second"]
    assert await threads.names(thread=f"{threads.prefix}finished") == []


@pytest.mark.parametrize("with_agent", [True, False])
async def test_an_entry_says_what_waits(threads: Threads, with_agent: bool) -> None:
    agent = threads.agent()
    await threads.go(agent, "one")
    (entry,) = await threads.waiting(agent if with_agent else None)
    assert (entry.state, entry.problem) == ("waiting", "")
    assert [(action.tool, action.args, action.tool_call_id) for action in entry.actions] == [
        ("send", {"x": 1}, "c1"),
        ("send", {"x": 2}, "c2"),
    ]


async def test_what_was_decided_does_not_wait_while_the_rest_does(threads: Threads) -> None:
    gate = HumanInTheLoopMiddleware({"send": True}, interrupt_mode="per_call")
    agent = threads.agent(interrupt_on=None, middleware=[gate])
    await threads.go(agent, "one")
    await threads.resume(agent, "one", {"decisions": {"c1": {"type": "approve"}}})
    (entry,) = await threads.waiting()
    assert [action.tool_call_id for action in entry.actions] == ["c2"]


async def test_a_decision_that_was_written_down_is_no_longer_waited_for(threads: Threads) -> None:
    """The run that took the answer was killed before it could store more than the decision."""
    agent = threads.agent([call("send", "c1", x=1)], "done")
    await threads.go(agent, "one")
    (entry,) = await threads.waiting()
    record = (entry.actions[0].request_id or "").partition("-")[0]
    await threads.started("one", record, ended=True)
    assert await threads.names() == []


async def test_a_call_that_was_started_and_has_not_ended_may_have_run(threads: Threads) -> None:
    agent = threads.agent([call("send", "c1", x=1)], "done")
    await threads.go(agent, "one")
    (entry,) = await threads.waiting()
    await threads.started("one", (entry.actions[0].request_id or "").partition("-")[0], ended=False)
    (entry,) = await threads.waiting()
    assert entry.state == "may have run"
    assert [(action.tool, action.started_run) for action in entry.actions] == [("send", "unknown")]
    assert "may have run" in entry.actions[0].may_have_run


async def test_an_interrupt_of_another_graph_is_listed(threads: Threads) -> None:
    def node(state: MessagesState) -> Any:
        return {"messages": [AIMessage(f"you said {interrupt('your name?')}")]}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    compiled = graph.compile(checkpointer=threads.saver)
    await threads.go(compiled, "one")
    (entry,) = await threads.waiting()
    assert [(action.tool, action.description) for action in entry.actions] == [(None, "your name?")]
    await threads.go(compiled, "one", Command(resume="Ann"))
    assert await threads.names() == []


async def test_a_thread_of_another_agent_is_listed_with_the_reason(threads: Threads) -> None:
    """Case I1."""
    await threads.go(threads.agent(), "ours")

    def foreign(state: MessagesState) -> Any:
        interrupt("sure?")

    graph = StateGraph(MessagesState)
    graph.add_node("foreign", foreign)
    graph.add_edge(START, "foreign")
    await threads.go(graph.compile(checkpointer=threads.saver), "theirs")
    found = {entry.thread_id.removeprefix(threads.prefix): entry for entry in await threads.waiting(threads.agent())}
    assert found["ours"].problem == ""
    assert found["theirs"].problem


class Counting(SqliteSaver):
    """Counts the checkpoints that are read."""

    read: Counter[str]

    def get_tuple(self, config: Any) -> Any:
        self.read[config["configurable"].get("checkpoint_ns", "")] += 1
        return super().get_tuple(config)

    def list(self, *args: Any, **kwargs: Any) -> Any:
        self.read["list"] += 1
        return super().list(*args, **kwargs)


def clone(connection: sqlite3.Connection, thread: str, number: int) -> None:
    """Copy a thread a number of times, as a database of many threads has them."""
    for table in ("checkpoints", "writes"):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "thread_id"]
        names = ", ".join(columns)
        for copy in range(number):
            connection.execute(
                f"INSERT INTO {table} (thread_id, {names}) SELECT ?, {names} FROM {table} WHERE thread_id = ?",
                (f"{thread}-{copy}", thread),
            )
    connection.commit()


def test_of_305_threads_those_that_wait_are_read_and_no_other(tmp_path: Path) -> None:
    """Case I5."""
    with closing(sqlite3.connect(tmp_path / "threads.sqlite", check_same_thread=False)) as connection:
        saver = Counting(connection)
        saver.read = Counter()
        threads = Threads(saver, is_async=False)
        threads.agent("done").invoke({"messages": [("user", "go")]}, threads.config("finished"))
        clone(connection, "finished", 299)
        for number in range(5):
            threads.agent().invoke({"messages": [("user", "go")]}, threads.config(f"waits-{number}"))
        saver.read.clear()
        assert len(hitl.waiting(saver)) == 5
        assert saver.read == {"": 5, "agentkit": 5}
        saver.read.clear()
        assert len(hitl.waiting(saver, limit=2)) == 2
        assert saver.read == {"": 2, "agentkit": 2}


@pytest.mark.parametrize("thread", [None, "t"])
def test_sqlite_finds_them_by_index(thread: str | None) -> None:
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        saver = SqliteSaver(connection)
        saver.setup()
        tables = up.saver_tables(saver)
        assert tables is not None
        sql, values = tables.query(EVENTS, thread, "before")
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    assert {step for step in plan if step.startswith("SCAN")} == {"SCAN CONSTANT ROW", "SCAN threads"}
    searches = [step for step in plan if step.startswith("SEARCH")]
    assert searches
    assert all("INDEX" in step for step in searches)
    assert all("COVERING INDEX" in step for step in searches if "checkpoints" in step)  # no checkpoint is read


def test_postgresql_finds_them_by_index(postgres_url: str) -> None:
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver

    with PostgresSaver.from_conn_string(postgres_url) as saver:
        saver.setup()
        tables = up.saver_tables(saver)
        assert tables is not None
        query = tables.query(EVENTS, None, None)
    with psycopg.connect(postgres_url) as connection:  # whose rows are rolled back
        rows = "FROM generate_series(1, 305) t, generate_series(1, 20) c"
        connection.execute(
            "INSERT INTO checkpoints (thread_id, checkpoint_id, checkpoint) "
            f"SELECT 'plan-' || t, c::text, '{{}}' {rows}"
        )
        connection.execute(
            "INSERT INTO checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, blob) "
            f"SELECT 'plan-' || t, c::text, 'task', 0, 'x', '' {rows}"
        )
        connection.execute("ANALYZE")
        plan = [row[0] for row in connection.execute(f"EXPLAIN {query[0]}", query[1])]
        connection.rollback()
    scans = [step for step in plan if "Scan" in step and ("on checkpoints" in step or "on checkpoint_writes" in step)]
    assert scans
    assert all("Index" in step for step in scans)
    assert all("Index Only" in step for step in scans if "on checkpoints" in step)  # no checkpoint is read


async def test_a_sync_saver_refuses_the_async_form_in_words(tmp_path: Path) -> None:
    refused = pytest.raises(TypeError, match=r"SqliteSaver has no async methods: use hitl.waiting\(\)")
    with closing(sqlite3.connect(tmp_path / "threads.sqlite")) as connection, refused:
        await hitl.awaiting(SqliteSaver(connection))


def test_a_saver_of_another_kind_is_listed() -> None:
    assert up.saver_tables(InMemorySaver()) is None
    assert hitl.waiting(InMemorySaver()) == []
