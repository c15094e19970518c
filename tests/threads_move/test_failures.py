"""What is left when moving fails."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from agentkit.threads import move
from tests.threads_move.agents import CONFIG, HELLO, current, legacy, snapshot, texts


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


@pytest.mark.parametrize("kept", [1, 2])
def test_a_move_that_was_killed_is_taken_up_from_the_copy(open_sqlite: Any, kept: int) -> None:
    saver = open_sqlite()
    fill(saver, "t", "u")
    agent = current(saver, interrupt_before=["tools"])
    first, _ = move(saver, agent, write=True)
    whole = snapshot(saver)
    cut(saver, whole, kept)
    (report,) = (report for report in move(saver, agent) if report.thread_id == "t")
    assert report.outcome == "moved"
    assert repr(first.copy_id) in report.reason
    assert len(snapshot(saver)) == kept
    (again,) = (report for report in move(saver, agent, write=True) if report.thread_id == "t")
    assert again.copy_id == first.copy_id
    assert snapshot(saver) == whole
    agent.invoke(None, CONFIG)
    assert texts(agent)[-1] == "done: 3"


def test_a_thread_that_is_gone_is_brought_back_from_the_copy_only_by_its_name(open_sqlite: Any) -> None:
    saver = open_sqlite()
    fill(saver, "t")
    agent = current(saver, interrupt_before=["tools"])
    (first,) = move(saver, agent, write=True)
    whole = snapshot(saver)
    saver.delete_thread("t")
    (report,) = move(saver, agent, write=True)
    assert (report.thread_id, report.outcome, report.copy_id) == ("t", "refused", first.copy_id)
    assert snapshot(saver) == []
    (report,) = move(saver, agent, thread_ids=["t"], write=True)
    assert report.outcome == "moved"
    assert snapshot(saver) == whole


def test_a_thread_that_went_on_after_its_move_is_not_taken_back(saver: Any) -> None:
    fill(saver, "t")
    agent = current(saver, interrupt_before=["tools"])
    move(saver, agent, write=True)
    agent.invoke(None, CONFIG)
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "unchanged"
    assert texts(agent)[-1] == "done: 3"


def cut(saver: Any, whole: list[Any], kept: int) -> None:
    """Leave the oldest checkpoints of the thread, as a kill between two puts does."""
    oldest = [checkpoint["id"] for checkpoint, _ in whole][::-1][:kept]
    with saver.cursor() as cursor:
        cursor.execute("DELETE FROM checkpoints WHERE thread_id = 't' AND checkpoint_id > ?", (oldest[-1],))


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
