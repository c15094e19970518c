"""Processes that die, and processes that answer at the same time, on SQLite."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from langgraph.checkpoint.sqlite import SqliteSaver

from . import worker

KILLS = settings.default.max_examples
SCRIPT = str(Path(worker.__file__))


def spawn(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fork_and_kill(database: str, log: str, after: float) -> bool:
    """Drive the thread in a child that is killed; returns whether it got to the end before."""
    child = os.fork()  # a fresh interpreter takes seconds to start; a fork starts at once
    if child == 0:
        try:
            worker.main(database, log, "drive", str(after))
        finally:
            os._exit(4)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return not os.WIFSIGNALED(status)


@pytest.mark.parametrize("part", range(2))
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_worker_killed_at_any_moment_runs_nothing_unapproved_and_every_thread_ends(part: int, tmp_path: Path) -> None:
    dice, kills, threads = random.Random(part), 0, 0
    while kills < KILLS // 2:
        threads += 1
        database, log = str(tmp_path / f"{threads}.sqlite"), str(tmp_path / f"{threads}.log")
        while not fork_and_kill(database, log, dice.uniform(0.005, 0.12)):
            kills += 1
            if kills >= KILLS // 2 + 50:
                break
        assert fork_and_kill(database, log, 60)
        check(Path(log).read_text().splitlines(), database)
    assert kills >= KILLS // 2


def check(lines: list[str], database: str) -> None:
    assert "ended" in lines
    approved: set[str] = set()
    for line in lines:
        word, _, number = line.partition(" ")
        if word == "approve":
            approved.add(number)
        assert word not in ("run", "ran") or number in approved, lines
    counts = Counter(lines)
    for turn in range(worker.TURNS):
        assert counts[f"ran {turn}"] >= 1, lines
        assert counts[f"run {turn + 100}"] == 0
    with SqliteSaver.from_conn_string(database) as saver:
        messages = worker.agent(saver, os.devnull).get_state(worker.CONFIG).values["messages"]
        done = Counter(m.tool_call_id for m in messages if m.type == "tool")
        assert set(done.values()) == {1}
        assert len(done) == 2 * worker.TURNS
        # What was recorded as done is not done again: after its result was stored, a call never starts anew.
        again = worker.agent(saver, str(Path(database).with_suffix(".again")))
        again.invoke(None, worker.CONFIG)
        assert not Path(database).with_suffix(".again").exists()


def test_of_two_processes_that_answer_one_pause_one_goes_on_and_the_other_is_refused(tmp_path: Path) -> None:
    database, log, go = (str(tmp_path / name) for name in ("t.sqlite", "log", "go"))
    with SqliteSaver.from_conn_string(database) as saver:
        worker.step(worker.agent(saver, log), log)
    racers = [spawn(database, log, "race", go) for _ in range(2)]
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob("go.*"))) < 2 and time.monotonic() < deadline:
        os.sched_yield()
    Path(go).touch()
    said = sorted(racer.communicate(timeout=60)[0].strip()[:8] for racer in racers)
    assert said == ["refused:", "went on"]
    assert sorted(Path(log).read_text().split("\n")) == ["", "ran 0", "ran 100", "run 0", "run 100"]
