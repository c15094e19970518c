"""Threads that old versions stored go on, moved, in bare `create_agent`."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from agentkit.threads import move
from tests.threads_move.agents import RUNS, current
from tests.threads_move.test_loop_entry import by_hand

FILES = sorted((Path(__file__).parents[1] / "data" / "threads").glob("*.sqlite"))
# The last text and the tools that still run.
ENDS = {
    "a_before_tools": ("done: 3", ["add 1 2"]),
    "a2_before_tools_two_calls": ("done: 3, 7", ["add 1 2", "add 3 4"]),
    "a3_after_agent": ("done: 3", ["add 1 2"]),
    "d_after_tools": ("done: 3", []),
}


@pytest.fixture(params=FILES, ids=lambda file: str(file.stem))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteSaver]:
    copy = shutil.copy(request.param, tmp_path / "threads.sqlite")
    connection = sqlite3.connect(copy, check_same_thread=False)
    yield SqliteSaver(connection)
    connection.close()


def threads_of(saver: SqliteSaver, scenario: str) -> list[str]:
    found = {str(entry.config["configurable"]["thread_id"]) for entry in saver.list(None)}
    return sorted(thread_id for thread_id in found if thread_id.partition("-")[2] == scenario)


@pytest.mark.parametrize("scenario", ENDS)
def test_a_thread_that_waits_goes_on(old: SqliteSaver, scenario: str) -> None:
    agent = current(old, interrupt_before=["tools"])
    threads = threads_of(old, scenario)
    assert threads
    for report in move(old, agent, thread_ids=threads, write=True):
        assert report.outcome == "moved"
        RUNS.clear()
        done = agent.invoke(None, {"configurable": {"thread_id": report.thread_id}})
        assert (done["messages"][-1].content, sorted(RUNS)) == ENDS[scenario]


def test_a_thread_that_waits_before_tools_goes_on_at_their_new_name(old: SqliteSaver) -> None:
    graph = by_hand(old, "model", "do")
    for report in move(old, graph, nodes={"tools": "do"}, thread_ids=threads_of(old, "a_before_tools"), write=True):
        config: Any = {"configurable": {"thread_id": report.thread_id}}
        assert (report.goes_to, graph.get_state(config).next) == (("do",), ("do",))
        assert graph.invoke(None, config)["messages"][-1].content == "done: 3"
