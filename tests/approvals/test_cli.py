"""`agentkit approvals`, from the command line to the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from agentkit import hitl
from agentkit.cli import main

pytest.importorskip("rich", reason="the extra `approvals` is not installed")

APP = """
from langchain_core.tools import tool
from agentkit.agents import create_agent
from agentkit.testing import ScriptedChatModel, call

@tool
def send(x: int) -> str:
    "Send."
    return f"sent {x}"

def agent(checkpointer=True):
    script = [[call("send", "c1", x=1), call("send", "c2", x=2)], "all done"]
    model = ScriptedChatModel(script=script)
    return create_agent(model, [send], interrupt_on={"send": True}, checkpointer=checkpointer)

made = agent()
"""
CONFIG: Any = {"configurable": {"thread_id": "thread-1"}}


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    path, database = tmp_path / "reviewed_app.py", tmp_path / "threads.sqlite"
    path.write_text(APP)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("EDITOR", raising=False)
    scope: dict[str, Any] = {}
    exec(APP, scope)
    with SqliteSaver.from_conn_string(str(database)) as saver:
        scope["agent"](saver).invoke({"messages": [("user", "go")]}, CONFIG)
    return [f"{path}:made", "--db", str(database)]


def replies(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    given = iter(lines)
    monkeypatch.setattr("builtins.input", lambda *_: next(given))


def test_what_waits_is_listed(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", *app, "--list"]) == 0
    shown = capsys.readouterr().out
    assert "thread-1: send" in shown
    assert '"x": 2' in shown


def test_what_waits_is_printed_as_json(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", *app, "--json"]) == 0
    waiting = json.loads(capsys.readouterr().out)
    assert [(one["tool"], one["args"], one["tool_call_id"]) for one in waiting["thread-1"]] == [
        ("send", {"x": 1}, "c1"),
        ("send", {"x": 2}, "c2"),
    ]


def test_a_script_can_approve_a_thread(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", *app, "--json", "--approve", "thread-1"]) == 0
    happened = json.loads(capsys.readouterr().out)
    assert [one["content"] for one in happened["messages"]] == ["sent 1", "sent 2", "all done"]
    assert happened["pending"] == []
    assert main(["approvals", *app, "--approve", "thread-1"]) == 1
    assert "nothing waits" in capsys.readouterr().err


def test_a_person_edits_and_rejects(
    app: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replies(monkeypatch, "edit", "not json", "[1]", '{"x": 7}', "reject", "too many")
    assert main(["approvals", *app]) == 0
    shown = capsys.readouterr().out
    assert "This is not JSON" in shown
    assert "must be a JSON object" in shown
    assert '+  "x": 7' in shown
    assert "sent 7" in shown
    assert "too many" in shown
    assert "all done" in shown


def test_arguments_are_edited_in_the_editor(
    app: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "sed -i s/1/9/")
    replies(monkeypatch, "edit", "respond", "no need")
    assert main(["approvals", *app]) == 0
    shown = capsys.readouterr().out
    assert "sent 9" in shown
    assert "no need" in shown


def test_nothing_waits_is_said(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", *app, "--thread", "another"]) == 0
    assert "Nothing waits." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["nowhere.py:agent"], "there is no file "),
        (["agent"], "neither file.py:name nor module:name"),
        (["no_such_module:agent"], "there is no module no_such_module"),
        (["agentkit.hitl:nothing"], "has no 'nothing'"),
    ],
)
def test_a_wrong_name_is_said_in_words(
    app: list[str], change: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["approvals", *change, *app[1:]]) == 2
    assert message in capsys.readouterr().err


def test_a_database_that_is_not_there_is_not_made(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    missing = app[2] + ".missing"
    assert main(["approvals", app[0], "--db", missing]) == 2
    assert "there is no database" in capsys.readouterr().err
    assert not Path(missing).exists()


def test_the_agents_own_checkpointer_is_used_without_a_database(app: list[str]) -> None:
    from agentkit.approvals.threads import load_agent, opened, waiting_threads

    with SqliteSaver.from_conn_string(app[2]) as saver:
        agent = load_agent(app[0]).copy({"checkpointer": saver})
        with opened(None, agent) as same:
            assert list(waiting_threads(same)) == ["thread-1"]
            assert len(hitl.pending(same, CONFIG)) == 2


def test_an_editor_that_fails_is_said_so_and_the_arguments_are_asked_for(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDITOR", "an-editor-that-is-not-there")
    replies(monkeypatch, "edit", '{"x": 7}', "reject", "")
    assert main(["approvals", *app]) == 0
    shown = capsys.readouterr().out
    assert "The editor failed" in shown
    assert "sent 7" in shown


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_a_review_that_is_broken_off_says_so_and_answers_nothing(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: type[BaseException]
) -> None:
    def stop(*_: object) -> str:
        raise end

    monkeypatch.setattr("builtins.input", stop)
    assert main(["approvals", *app]) == 1
    assert "still waits" in capsys.readouterr().err
    assert main(["approvals", *app, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["thread-1"]) == 2


@pytest.mark.parametrize("name", ["APP", "send", "needs"])
def test_a_name_that_is_no_graph_is_wrong_usage(app: list[str], capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = Path(app[0].removesuffix(":made"))
    path.write_text(path.read_text() + "\nAPP = 'text'\ndef needs(x): ...\n")
    assert main(["approvals", f"{path}:{name}", *app[1:]]) == 2
    assert "graph" in capsys.readouterr().err


def test_a_file_that_is_no_database_is_wrong_usage(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", app[0], "--db", app[0].removesuffix(":made")]) == 2
    assert "no SQLite database" in capsys.readouterr().err
