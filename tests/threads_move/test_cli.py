"""`agentkit threads move`."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from agentkit.cli import main
from tests.threads_move.agents import CONFIG, HELLO, legacy

APP = """
from langchain.agents import AgentState, create_agent
from agentkit.testing import ScriptedChatModel, call

def add(a: int, b: int) -> str:
    "Add."
    return str(a + b)

def build():
    model = ScriptedChatModel(script=[call("add", "call_1", a=1, b=2)])
    return create_agent(model, [add], interrupt_before=["tools"])

def needs(model):
    return create_agent(model, [add])

def text():
    return ""

agent = build()
number = 5
"""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """A file with an agent, a database with a paused thread, and the command that is run on both."""
    name = f"app_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(APP)
    with SqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def run(*arguments: str, agent: str = "agent", where: str | None = None) -> int:
        return main(["threads", "move", where or f"{name}.py:{agent}", "--db", "threads.sqlite", *arguments])

    return run


def test_the_command_says_what_it_would_do_and_does_it_with_write(
    app: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app() == 0
    printed = capsys.readouterr().out
    assert "moved     t  [tools -> tools]" in printed
    assert "1 moved, 0 unchanged, 0 refused. Nothing was written; --write does it." in printed
    assert app("--write", agent="build") == 0
    assert "original kept as t:before-move-" in capsys.readouterr().out
    assert app("--json") == 0
    assert [report["outcome"] for report in json.loads(capsys.readouterr().out)] == ["unchanged"]


def test_the_command_exits_1_where_a_thread_is_refused(
    app: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app("--thread", "absent") == 1
    assert "refused   absent  [finished]: there is no such thread" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"agent": "text"}, "is of type str, not an agent"),
        ({"agent": "number"}, "is of type int, not an agent"),
        ({"agent": "needs"}, "not an agent or a function without arguments"),
        ({"where": "agent"}, "file.py:name"),
        ({"agent": "absent"}, "has no 'absent'"),
        ({"where": "no_such_module:agent"}, "there is no module no_such_module"),
    ],
)
def test_a_wrong_agent_is_refused_with_exit_code_2(
    app: Callable[..., int], capsys: pytest.CaptureFixture[str], arguments: dict[str, str], says: str
) -> None:
    assert app(**arguments) == 2
    assert says in capsys.readouterr().err


def test_a_wrong_node_pair_and_a_missing_file_are_refused(
    app: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert app("--node", "agent") == 2
    assert "OLD=NEW" in capsys.readouterr().err
    (tmp_path / "threads.sqlite").rename(tmp_path / "elsewhere.sqlite")
    assert app() == 2
    assert "there is no file 'threads.sqlite'" in capsys.readouterr().err


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("threads.sqlite*")}


def as_old_files_are(path: Path) -> None:
    """Take away what savers of today add: WAL mode, and a column."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        if "task_path" in {column[1] for column in connection.execute("PRAGMA table_info(writes)")}:
            connection.execute("ALTER TABLE writes DROP COLUMN task_path")
            connection.commit()


def left_by_a_crash(path: Path) -> None:
    """Write in WAL mode and be killed, so that the last thread is in the -wal file alone."""
    code = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1])\n"
        "connection.execute('PRAGMA journal_mode=WAL')\n"
        "connection.execute(\"UPDATE checkpoints SET thread_id = 'late'\")\n"
        "connection.execute(\"UPDATE writes SET thread_id = 'late'\")\n"
        "connection.commit()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    Path(f"{path}-shm").unlink()


@pytest.mark.parametrize(
    ("prepare", "thread_id"), [(lambda path: None, "t"), (as_old_files_are, "t"), (left_by_a_crash, "late")]
)
@pytest.mark.parametrize("mode", [0o644, 0o444])
def test_without_write_the_file_stays_as_it_is_to_the_byte(
    app: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    prepare: Callable[[Path], None],
    thread_id: str,
    mode: int,
) -> None:
    path = tmp_path / "threads.sqlite"
    prepare(path)
    path.chmod(mode)
    before = contents(tmp_path)
    assert app() == 0
    assert f"moved     {thread_id}  [tools -> tools]" in capsys.readouterr().out
    after = contents(tmp_path)
    after.pop("threads.sqlite-shm", None)  # the memory that those who read a -wal share; no data
    assert after == before


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "has no table of checkpoints"), (b"# Notes\n" * 200, "file is not a database")],
)
@pytest.mark.parametrize("write", [[], ["--write"]])
def test_a_file_without_threads_is_refused_and_left_as_it_is(
    app: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    content: bytes,
    says: str,
    write: list[str],
) -> None:
    path = tmp_path / "threads.sqlite"
    path.write_bytes(content)
    assert app(*write) == 2
    assert says.replace("has no", "holds no threads: it has no") in capsys.readouterr().err
    assert contents(tmp_path) == {"threads.sqlite": content}


def test_the_old_file_is_moved_with_write(app: Callable[..., int], tmp_path: Path) -> None:
    as_old_files_are(tmp_path / "threads.sqlite")
    assert app("--write") == 0
    with SqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        assert "branch:to:model" in saver.get_tuple(CONFIG).checkpoint["channel_versions"]  # type: ignore[union-attr, arg-type]
