"""What is left when moving fails."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agentkit.threads import move
from tests.threads_move.agents import CONFIG, HELLO, RUNS, TWO, current, legacy, snapshot, texts


class Breaks(InMemorySaver):
    """Fails at the given put after a thread was deleted, and after that many more succeed."""

    fails = range(0)
    puts: int | None = None

    def delete_thread(self, thread_id: str) -> None:
        super().delete_thread(thread_id)
        if self.puts is None and not thread_id.startswith(":"):
            self.puts = 0

    def put(self, *args: Any) -> Any:
        if self.puts is not None:
            self.puts += 1
            if self.puts in self.fails:
                raise OSError("disk full")
        return super().put(*args)


def fill(saver: Any, *thread_ids: str) -> None:
    for thread_id in thread_ids:
        legacy(saver, interrupt_before=["tools"]).invoke(HELLO, {"configurable": {"thread_id": thread_id}})


def test_a_thread_that_cannot_be_written_is_put_back_and_the_next_is_moved() -> None:
    saver = Breaks()
    fill(saver, "t", "u")
    saver.fails = range(2, 3)
    before = snapshot(saver)
    first, second = move(saver, current(interrupt_before=["tools"]), write=True)
    assert (first.outcome, second.outcome) == ("failed", "moved")
    assert "OSError: disk full" in first.reason
    assert "put back as it was" in first.reason
    assert snapshot(saver) == before
    assert snapshot(saver, first.copy_id) == before
    saver.fails = range(0)
    assert [report.outcome for report in move(saver, current(interrupt_before=["tools"]), thread_ids=["t"])] == [
        "moved"
    ]


def test_where_it_cannot_be_put_back_either_the_report_names_the_copy() -> None:
    saver = Breaks()
    fill(saver, "t")
    saver.fails = range(1, 99)
    before = snapshot(saver)
    (report,) = move(saver, current(), write=True)
    assert report.outcome == "failed"
    assert report.copy_id.startswith("t:before-move-")
    assert f"the original is in thread {report.copy_id!r}" in report.reason
    assert snapshot(saver, report.copy_id) == before


def test_a_move_that_is_interrupted_puts_the_thread_back() -> None:
    class Interrupted(Breaks):
        def put(self, *args: Any) -> Any:
            try:
                return super().put(*args)
            except OSError:
                raise KeyboardInterrupt from None

    saver = Interrupted()
    fill(saver, "t")
    saver.fails = range(1, 2)
    before = snapshot(saver)
    with pytest.raises(KeyboardInterrupt):
        move(saver, current(), write=True)
    assert snapshot(saver) == before


class Killed(BaseException):
    """The process is gone: nothing after it has an effect."""


class Dies(InMemorySaver):
    """Takes so many writes of a move, and none after them, as a saver whose process is killed."""

    lives: int | None = None

    def write(self) -> None:
        if self.lives is not None:
            if self.lives <= 0:
                raise Killed
            self.lives -= 1

    def put(self, *args: Any) -> Any:
        self.write()
        return super().put(*args)

    def put_writes(self, *args: Any, **options: Any) -> None:
        self.write()
        super().put_writes(*args, **options)

    def delete_thread(self, thread_id: str) -> None:
        self.write()
        super().delete_thread(thread_id)


def gated(saver: Any) -> Any:
    return current(saver, middleware=[HumanInTheLoopMiddleware({"add": True})])


def asks_and_adds(saver: Any) -> None:
    """Moved threads of the first kind wait for a review, those of the second for the answer to a begun tool."""
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, {"configurable": {"thread_id": "t"}})


def in_the_middle(saver: Any) -> None:
    legacy(saver, TWO, version="v2").invoke(HELLO, {"configurable": {"thread_id": "t"}})


def killed_at(writes: int, fill: Any, agent: Any) -> tuple[Dies, Any, bool]:
    """A saver in which the move of a thread was killed after so many writes; whether it was done by then."""
    saver = Dies()
    fill(saver)
    saver.lives = writes
    graph = agent(saver)
    try:
        move(saver, graph, write=True)
    except Killed:
        saver.lives = None
        return saver, graph, False
    saver.lives = None
    return saver, graph, True


def test_wherever_a_move_is_killed_running_it_again_ends_as_if_it_had_not_been() -> None:
    for fill, agent, begin, end, runs in (
        (asks_and_adds, gated, None, "HumanInTheLoopMiddleware.after_model", []),
        (in_the_middle, lambda saver: current(saver, TWO), Command(resume="yes"), "tools", ["add 1 2", "ask yes"]),
    ):
        done, writes = False, 0
        while not done:
            RUNS.clear()
            saver, graph, done = killed_at(writes, fill, agent)
            move(saver, graph, write=True)
            (again,) = move(saver, graph, write=True)
            assert (again.outcome, again.waits_at) == ("unchanged", (end,)), writes
            copies = [each for each in saver.storage if "before-move" in each]
            assert len(copies) == 1, copies
            assert "agent" in saver.get({"configurable": {"thread_id": copies[0]}})["versions_seen"]
            result = graph.invoke(begin, CONFIG)
            assert ("__interrupt__" in result) is (begin is None)
            assert runs == RUNS, writes
            writes += 1
        assert writes > 10


def test_a_thread_that_went_on_after_its_move_was_killed_is_refused_with_where_the_original_is() -> None:
    saver, graph, _ = killed_at(9, asks_and_adds, gated)
    graph.invoke({"messages": [("user", "anyone there?")]}, CONFIG)
    before = snapshot(saver)
    for _ in range(2):
        (report,) = move(saver, graph, write=True)
        assert report.outcome == "refused"
        assert "it went on since" in report.reason
        assert "'t:before-move-" in report.reason
    assert snapshot(saver) == before


def test_a_thread_that_was_deleted_stays_away(saver: Any) -> None:
    fill(saver, "t")
    agent = current(saver, interrupt_before=["tools"])
    move(saver, agent, write=True)
    saver.delete_thread("t")
    assert move(saver, agent, write=True) == []
    (report,) = move(saver, agent, thread_ids=["t"], write=True)
    assert (report.outcome, report.reason) == ("refused", "there is no such thread")


def test_a_thread_that_went_on_after_its_move_is_not_taken_back(saver: Any) -> None:
    fill(saver, "t")
    agent = current(saver, interrupt_before=["tools"])
    move(saver, agent, write=True)
    agent.invoke(None, CONFIG)
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "unchanged"
    assert texts(agent)[-1] == "done: 3"


def test_a_copy_that_cannot_be_written_leaves_the_thread_alone() -> None:
    class Full(InMemorySaver):
        def put(self, config: Any, *args: Any) -> Any:
            if "before-move" in config["configurable"]["thread_id"]:
                raise OSError("disk full")
            return super().put(config, *args)

    saver = Full()
    fill(saver, "t")
    before = snapshot(saver)
    (report,) = move(saver, current(), write=True)
    assert (report.outcome, report.copy_id) == ("refused", "")
    assert "disk full" in report.reason
    assert snapshot(saver) == before


def test_a_thread_that_cannot_be_read_is_refused_and_the_others_are_moved() -> None:
    class Unreadable(InMemorySaver):
        def list(self, config: Any, **options: Any) -> Any:
            if config and config["configurable"]["thread_id"] == "b":
                raise TypeError("no such type")
            return super().list(config, **options)

    saver = Unreadable()
    fill(saver, "a", "b", "c")
    reports = move(saver, current(), write=True)
    assert [report.outcome for report in reports] == ["moved", "refused", "moved"]
    assert reports[1].reason == "it can't be read: TypeError: no such type"


def test_a_row_of_a_sqlite_file_that_cannot_be_read_does_not_hide_the_other_threads(open_sqlite: Any) -> None:
    saver = open_sqlite()
    fill(saver, "a", "b")
    saver.conn.execute("UPDATE checkpoints SET type = 'msgpack', checkpoint = x'c1' WHERE thread_id = 'a'")
    saver.conn.commit()
    reports = move(saver, current(), write=True)
    assert [report.outcome for report in reports] == ["refused", "moved"]


def test_a_saver_that_cannot_list_its_threads_is_a_clear_error_and_named_threads_are_moved() -> None:
    class Broken(InMemorySaver):
        def list(self, config: Any, **options: Any) -> Any:
            if config is None:
                raise TypeError("no such type")
            return super().list(config, **options)

    saver = Broken()
    fill(saver, "t")
    with pytest.raises(ValueError, match=r"can't be listed \(TypeError: no such type\).*thread_ids="):
        move(saver, current())
    assert [report.outcome for report in move(saver, current(), thread_ids=["t"])] == ["moved"]


def test_a_saver_that_cannot_delete_threads_is_found_out_before_anything_is_written() -> None:
    class Keeps(InMemorySaver):
        def delete_thread(self, thread_id: str) -> None:
            raise NotImplementedError

    saver = Keeps()
    fill(saver, "t")
    with pytest.raises(ValueError, match="Keeps can't delete threads"):
        move(saver, current(), write=True)
    assert {entry.config["configurable"]["thread_id"] for entry in saver.list(None)} == {"t"}
    assert [report.outcome for report in move(saver, current())] == ["moved"]


@pytest.mark.parametrize("option", ["thread_ids", "drop"])
def test_one_string_in_the_place_of_a_list_is_an_error(saver: Any, option: str) -> None:
    with pytest.raises(TypeError, match=rf"{option} takes a list of strings, such as \['budget'\]"):
        move(saver, current(), **{option: "budget"})


def test_a_moved_thread_still_goes_on_after_a_failed_first_try() -> None:
    saver = Breaks()
    fill(saver, "t")
    agent = current(saver, interrupt_before=["tools"])
    saver.fails = range(2, 3)
    move(saver, agent, write=True)
    saver.fails = range(0)
    move(saver, agent, write=True)
    agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]
