"""What the records of approvals rely on, of every saver: that the first value written at one place stays."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.testing import ScriptedChatModel, call

from .conftest import Tools

NAMESPACE = "agentkit"
SAVERS = ["memory", "memory async", "sqlite", "sqlite async", "postgres", "postgres async"]
METADATA: Any = {"source": "update", "step": -1, "parents": {}}


class Store:
    """One place where threads are kept. `open` connects to it anew, as another process would."""

    def __init__(self, kind: str, path: Path, url: str) -> None:
        self.name, _, mode = kind.partition(" ")
        self.is_async, self.path, self.url = bool(mode), path, url
        self.thread = str(uuid4())
        self.memory = InMemorySaver()
        self.stack = AsyncExitStack()

    async def open(self) -> Any:
        if self.name == "memory":
            return self.memory
        if self.name == "sqlite":
            context: Any = (AsyncSqliteSaver if self.is_async else SqliteSaver).from_conn_string(str(self.path))
        else:
            context = _postgres(self.is_async).from_conn_string(self.url)
        if not self.is_async:
            saver = self.stack.enter_context(context)
            if self.name == "postgres":
                saver.setup()
            return saver
        saver = await self.stack.enter_async_context(context)
        await saver.setup()
        return saver

    async def call(self, saver: Any, method: str, *args: Any) -> Any:
        return await getattr(saver, f"a{method}")(*args) if self.is_async else getattr(saver, method)(*args)

    def at(self, checkpoint_id: str | None = None, namespace: str = NAMESPACE) -> Any:
        where = {"thread_id": self.thread, "checkpoint_ns": namespace}
        return {"configurable": {**where, "checkpoint_id": checkpoint_id} if checkpoint_id else where}

    async def put(self, saver: Any, checkpoint_id: str, namespace: str = NAMESPACE) -> None:
        checkpoint = {**empty_checkpoint(), "id": checkpoint_id}
        await self.call(saver, "put", self.at(namespace=namespace), checkpoint, METADATA, {})

    async def write(self, saver: Any, checkpoint_id: str, task: str, value: Any, channel: str = "agentkit:x") -> None:
        await self.call(saver, "put_writes", self.at(checkpoint_id), [(channel, value)], task)

    async def read(self, saver: Any, checkpoint_id: str) -> list[tuple[str, str, Any]] | None:
        found = await self.call(saver, "get_tuple", self.at(checkpoint_id))
        return None if found is None else sorted(found.pending_writes or [])


def _postgres(is_async: bool) -> Any:
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    return AsyncPostgresSaver if is_async else PostgresSaver


@pytest.fixture(params=SAVERS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    url = request.getfixturevalue("postgres_url") if request.param.startswith("postgres") else ""
    made = Store(request.param, tmp_path / "threads.sqlite", url)
    async with made.stack:
        yield made


async def test_a_record_that_was_not_made_is_none(store: Store) -> None:
    assert await store.read(await store.open(), str(uuid4())) is None


async def test_the_first_write_of_a_task_stays_and_the_next_reader_sees_it(store: Store) -> None:
    one, other = await store.open(), await store.open()
    record, task = str(uuid4()), str(uuid4())
    await store.put(one, record)
    await store.write(one, record, task, {"by": "first"})
    await store.write(other, record, task, {"by": "second"})
    for saver in (one, other, await store.open()):
        assert await store.read(saver, record) == [(task, "agentkit:x", {"by": "first"})]


async def test_nor_does_a_write_to_another_channel_take_its_place(store: Store) -> None:
    saver, record, task = await store.open(), str(uuid4()), str(uuid4())
    await store.put(saver, record)
    await store.write(saver, record, task, 1)
    await store.write(saver, record, task, 2, "agentkit:y")
    assert await store.read(saver, record) == [(task, "agentkit:x", 1)]


async def test_tasks_stand_side_by_side(store: Store) -> None:
    saver, record, tasks = await store.open(), str(uuid4()), [str(uuid4()) for _ in range(3)]
    await store.put(saver, record)
    for number, task in enumerate(tasks):
        await store.write(saver, record, task, {"n": number})
    expected = [(task, "agentkit:x", {"n": number}) for number, task in enumerate(tasks)]
    assert await store.read(saver, record) == sorted(expected)


async def test_a_record_made_twice_keeps_its_writes(store: Store) -> None:
    one, other = await store.open(), await store.open()
    record, task = str(uuid4()), str(uuid4())
    await store.put(one, record)
    await store.write(one, record, task, {"by": "first"})
    await store.put(other, record)
    assert await store.read(other, record) == [(task, "agentkit:x", {"by": "first"})]


async def test_records_do_not_touch_each_other_nor_the_thread(store: Store) -> None:
    saver, records, task = await store.open(), [str(uuid4()) for _ in range(2)], str(uuid4())
    newest = "1f0ffffe-0000-6000-8000-000000000000"
    await store.put(saver, newest, namespace="")
    for number, record in enumerate(records):
        await store.put(saver, record)
        await store.write(saver, record, task, number)
    assert [await store.read(saver, record) for record in records] == [
        [(task, "agentkit:x", number)] for number in range(2)
    ]
    found = await store.call(saver, "get_tuple", store.at(namespace=""))
    assert (found.checkpoint["id"], found.pending_writes or []) == (newest, [])


async def test_deleting_the_thread_deletes_its_records(store: Store) -> None:
    saver, record, task = await store.open(), str(uuid4()), str(uuid4())
    await store.put(saver, record)
    await store.write(saver, record, task, 1)
    await store.call(saver, "delete_thread", store.thread)
    assert await store.read(saver, record) is None
    await store.put(saver, record)
    assert await store.read(saver, record) == []


@pytest.mark.parametrize("store", SAVERS[2:], indirect=True)
async def test_a_database_names_the_events_without_decoding_them(store: Store) -> None:
    saver, record = await store.open(), str(uuid4())
    await store.put(saver, record)
    for channel in ("agentkit:decided", "agentkit:started"):
        value = {"calls": {}, "call": "0:c", "attempt": 0, "by": None, "note": None, "at": "", "token": "", "run": ""}
        await store.write(saver, record, str(uuid4()), value, channel)
    where = (store.thread, NAMESPACE, record)
    if store.name == "sqlite":
        query = "select channel from writes where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?"
        with sqlite3.connect(store.path) as connection:
            rows = connection.execute(query, where).fetchall()
        connection.close()
    else:
        import psycopg

        query = (
            "select channel from checkpoint_writes where thread_id = %s and checkpoint_ns = %s and checkpoint_id = %s"
        )
        with psycopg.connect(store.url) as connection:
            rows = connection.execute(query, where).fetchall()
    assert sorted(rows) == [("agentkit:decided",), ("agentkit:started",)]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_of_many_connections_that_write_at_once_one_is_first_for_all(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres_url") if kind == "postgres" else ""
    thread, record, task, ready = str(uuid4()), str(uuid4()), str(uuid4()), threading.Barrier(6)
    at: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": NAMESPACE}}

    def connect(stack: ExitStack) -> Any:
        if kind == "sqlite":
            return stack.enter_context(SqliteSaver.from_conn_string(str(tmp_path / "t.sqlite")))
        return stack.enter_context(_postgres(False).from_conn_string(url))

    with ExitStack() as stack:
        connect(stack).setup()

    def race(number: int) -> Any:
        with ExitStack() as stack:
            saver = connect(stack)
            ready.wait(60)
            saver.put(at, {**empty_checkpoint(), "id": record}, METADATA, {})
            own: Any = {"configurable": {**at["configurable"], "checkpoint_id": record}}
            saver.put_writes(own, [("agentkit:x", {"n": number})], task)
            return saver.get_tuple(own).pending_writes

    with ThreadPoolExecutor(6) as pool:
        seen = list(pool.map(race, range(6)))
    assert all(one == seen[0] for one in seen)
    assert len(seen[0]) == 1


async def test_a_graph_never_shows_the_records(store: Store) -> None:
    saver, tools = await store.open(), Tools()
    config: Any = {"configurable": {"thread_id": store.thread}}
    graph = create_agent(
        ScriptedChatModel(script=[call("send", "s", x=1), "end"]),
        tools.all,
        interrupt_on={"send": True},
        checkpointer=saver,
    )
    if store.is_async:
        await graph.ainvoke({"messages": [("user", "go")]}, config)
        await hitl.aresume(graph, config, [{"type": "approve"}])
        state = await graph.aget_state(config, subgraphs=True)
        history = [one async for one in graph.aget_state_history(config)]
    else:
        graph.invoke({"messages": [("user", "go")]}, config)
        hitl.resume(graph, config, [{"type": "approve"}])
        state, history = graph.get_state(config, subgraphs=True), list(graph.get_state_history(config))
    assert tools.ran == [("send", 1)]
    assert state.values["messages"][-1].content == "end"
    assert [one for one in (state, *history) if one.config["configurable"].get("checkpoint_ns")] == []
    assert history[0].config == state.config
