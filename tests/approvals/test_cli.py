"""`agentkit approvals`, from the command line to the result."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

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


def test_the_agents_own_checkpointer_is_used_without_a_database(
    app: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(app[0].removesuffix(":made"))
    own = f"SqliteSaver(sqlite3.connect({app[2]!r}, check_same_thread=False))"
    imports = "\nimport sqlite3\nfrom langgraph.checkpoint.sqlite import SqliteSaver\n"
    path.write_text(f"{path.read_text()}{imports}def own(): return agent({own})\n")
    assert main(["approvals", f"{path}:own", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["thread-1"]) == 2


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
    assert "0 answers were sent and are kept; 2 calls still wait." in capsys.readouterr().out
    assert main(["approvals", *app, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["thread-1"]) == 2


@pytest.mark.parametrize("name", ["APP", "send", "needs"])
def test_a_name_that_is_no_agent_is_wrong_usage(app: list[str], capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = Path(app[0].removesuffix(":made"))
    path.write_text(path.read_text() + "\nAPP = 'text'\ndef needs(x): ...\n")
    assert main(["approvals", f"{path}:{name}", *app[1:]]) == 2
    assert "not an agent" in capsys.readouterr().err


def test_a_file_that_is_no_database_is_wrong_usage(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["approvals", app[0], "--db", app[0].removesuffix(":made")]) == 2
    assert "no SQLite database" in capsys.readouterr().err


# --- the review, as a person does it ---


def review(app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *lines: Any) -> Any:
    """Type lines (an exception is what a key such as Ctrl-C raises), and return the exit code and what was shown."""
    given = iter(lines)

    def typed(*_: object) -> str:
        line = next(given)
        if isinstance(line, type):
            raise line
        return str(line)

    monkeypatch.setattr("builtins.input", typed)
    code = main(["approvals", *app])
    return code, capsys.readouterr().out


def app_with(app: list[str], script: str, more: str = "") -> list[str]:
    """Another agent, with a thread of its own that waits."""
    path = Path(app[0].removesuffix(":made")).with_name("other_app.py")
    path.write_text(APP.replace('[[call("send", "c1", x=1), call("send", "c2", x=2)], "all done"]', script) + more)
    database = path.with_suffix(".sqlite")
    scope: dict[str, Any] = {}
    exec(path.read_text(), scope)
    with SqliteSaver.from_conn_string(str(database)) as saver:
        scope["agent"](saver).invoke({"messages": [("user", "please send it")]}, CONFIG)
    return [f"{path}:made", "--db", str(database)]


def test_progress_and_the_conversation_are_shown(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = review(app, monkeypatch, capsys, "a", "r", "too many")
    assert code == 0
    assert "1 of 2" in shown
    assert "2 of 2" in shown
    assert "human: go" in shown
    assert "sent 1" in shown
    assert "2 answers were sent and are kept; 0 calls still wait." in shown


def test_skip_back_and_quit(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = review(app, monkeypatch, capsys, "a", "b", "r", "no", "x", "s")
    assert code == 0
    assert "'x' is none of these" in shown
    assert "1 answers were NOT sent (thread thread-1)" in shown
    code, shown = review(app, monkeypatch, capsys, "q")
    assert (code, "0 answers were sent and are kept; 2 calls still wait." in shown) == (0, True)
    code, shown = review(app, monkeypatch, capsys, "a", "b", "r", "no", "a")
    assert code == 0
    assert "sent 2" in shown
    assert "sent 1" not in shown


def test_what_was_answered_before_ctrl_c_is_kept(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Case I3: three interrupts, Ctrl-C after the first of three answers."""
    with SqliteSaver.from_conn_string(app[2]) as saver:
        scope: dict[str, Any] = {}
        exec(APP, scope)
        for thread in ("thread-2", "thread-3"):
            scope["agent"](saver).invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": thread}})
    code, shown = review(app, monkeypatch, capsys, "a", "a", "a", KeyboardInterrupt)
    assert code == 1
    assert "2 answers were sent and are kept; 4 calls still wait." in shown
    assert "1 answers were NOT sent (thread thread-2)" in shown
    main(["approvals", *app, "--json"])
    assert list(json.loads(capsys.readouterr().out)) == ["thread-2", "thread-1"]


def test_what_the_agent_asks_next_is_reviewed_too(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = app_with(app, '[[call("send", "c1", x=1)], [call("send", "c2", x=2)], "all done"]')
    code, shown = review(other, monkeypatch, capsys, "a", "a")
    assert code == 0
    assert "2 of 2" in shown
    assert "all done" in shown


def test_a_run_that_fails_does_not_end_the_review(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(app[0].removesuffix(":made"))
    path.write_text(APP.replace('return f"sent {x}"', 'raise RuntimeError("no network")'))
    code, shown = review(app, monkeypatch, capsys, "a", "a")
    assert code == 1
    assert "The answer was sent, and its run failed: RuntimeError: no network" in shown
    assert "2 answers were sent and are kept; 0 calls still wait." in shown


def test_nothing_that_a_model_wrote_reaches_the_terminal_raw(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Case I2: arguments, the tool's name, the conversation, the description, reports, errors and thread ids."""
    raw = "\x1b]0;owned\x07 \x1b[2J \x9b31m \u202eevil\u2066 \u200b \x7f \r ok \ud800"
    path = Path(app[0].removesuffix(":made"))
    raw = raw.removesuffix("\ud800")  # a lone surrogate can't be stored
    path.write_text(f"""
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import ScriptedChatModel, call
RAW = {raw!r}
@tool
def send(text: str) -> str:
    "Send."
    return "sent " + RAW
def agent(checkpointer=True):
    first = AIMessage(RAW, tool_calls=[call("send", "c" + RAW[:3], text=RAW)])
    gate = HumanInTheLoopMiddleware({{"send": {{"allowed_decisions": ["approve"], "description": "please " + RAW}}}})
    return create_agent(ScriptedChatModel(script=[first, RAW]), [send], middleware=[gate], checkpointer=checkpointer)
made = agent()
""")
    database = path.with_name("raw.sqlite")
    scope: dict[str, Any] = {}
    exec(path.read_text(), scope)
    thread = "t\x1b[31m\u202e"
    with SqliteSaver.from_conn_string(str(database)) as saver:
        config: Any = {"configurable": {"thread_id": thread}}
        scope["agent"](saver).invoke({"messages": [("user", raw)]}, config)
    assert main(["approvals", f"{path}:made", "--db", str(database), "--list"]) == 0
    code, shown = review([f"{path}:made", "--db", str(database)], monkeypatch, capsys, "a")
    assert code == 0
    assert not {c for c in shown if c < " " and c != "\n"}
    assert not {"\x7f", "\x9b", "\u202e", "\u2066", "\u200b"} & set(shown)
    assert r"\u001b[2J" in shown
    assert r"\u202e" in shown
    assert r"t\u001b[31m\u202e" in shown


def test_escaped_arguments_are_still_json_and_the_same() -> None:
    from agentkit.approvals.terminal import as_json

    value = {"a": "\x1b[2J \x7f \x85 \u202e \u2028 \U000e0041 \ud800 é 漢 😀"}
    shown = as_json(value)
    assert json.loads(shown) == value
    assert "é 漢 😀" in shown
    assert r"\u202e \u2028 \udb40\udc41 \ud800" in shown


def test_a_script_can_reject_a_thread_and_say_who(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--json", "--reject", "thread-1", "--message", "not today", "--by", "ann", "--note", "ticket 7"]
    assert main(["approvals", *app, *arguments]) == 0
    happened = json.loads(capsys.readouterr().out)
    assert [one["content"] for one in happened["messages"]][-1] == "all done"
    assert "not today" in happened["messages"][0]["content"]
    scope: dict[str, Any] = {}
    exec(APP, scope)
    with SqliteSaver.from_conn_string(app[2]) as saver:
        entries = hitl.history(scope["agent"](saver), CONFIG)
    assert {(one.decision["type"], one.by, one.note) for one in entries} == {("reject", "ann", "ticket 7")}


def test_help_explains_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["approvals", "--help"])
    shown = capsys.readouterr().out
    assert "exit: 0 " in shown
    assert "--reject THREAD" in shown


FOREIGN = """
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import interrupt
def foreign(state): interrupt("sure?")
other = StateGraph(MessagesState)
other.add_node("foreign", foreign)
other.add_edge(START, "foreign")
"""


@pytest.mark.parametrize("only", [[], ["--thread", "thread-1"]])
def test_a_thread_of_another_agent_is_skipped_and_named(
    app: list[str], capsys: pytest.CaptureFixture[str], only: list[str]
) -> None:
    """Case I1."""
    scope: dict[str, Any] = {}
    exec(FOREIGN, scope)
    with SqliteSaver.from_conn_string(app[2]) as saver:
        scope["other"].compile(checkpointer=saver).invoke({"messages": []}, {"configurable": {"thread_id": "theirs"}})
    assert main(["approvals", *app, "--json", *only]) == 0
    printed = capsys.readouterr()
    assert list(json.loads(printed.out)) == ["thread-1"]
    assert ("skipped thread theirs" in printed.err) == (not only)


def test_a_database_of_something_else_is_left_as_it_is(app: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(app[2]).with_name("other.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    assert main(["approvals", app[0], "--db", str(path)]) == 2
    assert "no such table: checkpoints" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_postgresql_database_without_tables_is_said_in_words(
    app: list[str], postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Case I5."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE empty_database")
    url = postgres_url.rpartition("/")[0] + "/empty_database"
    assert main(["approvals", app[0], "--db", url]) == 2
    assert "keeps no threads: PostgresSaver.setup() never ran in it" in capsys.readouterr().err


def killed(app: list[str]) -> None:
    """Leave a thread as a run leaves it that approved one call and was killed while its tool ran."""
    scope: dict[str, Any] = {}
    exec(APP, scope)
    with SqliteSaver.from_conn_string(app[2]) as saver:
        agent = scope["agent"](saver)
        (first, *_) = hitl.pending(agent, CONFIG)
        location = {"thread_id": "thread-1", "checkpoint_ns": "agentkit"}
        hitl.resume(agent, CONFIG, [{"type": "approve"}] * 2)
        assert first.request_id
        record = str(UUID(hex=first.request_id.partition("-")[0]))
        states = list(agent.get_state_history(CONFIG))
        kept = next(state for state in states if state.next and state.next[0] == "tools")
        at = kept.config["configurable"]["checkpoint_id"]
        with saver.cursor() as cursor:
            cursor.execute("DELETE FROM checkpoints WHERE checkpoint_ns = '' AND checkpoint_id > ?", (at,))
            cursor.execute("DELETE FROM writes WHERE checkpoint_ns = '' AND checkpoint_id >= ?", (at,))
            cursor.execute(
                "DELETE FROM writes WHERE checkpoint_ns = ? AND checkpoint_id = ? AND channel = 'agentkit:ended'",
                (location["checkpoint_ns"], record),
            )


def test_approving_a_call_that_may_have_run_asks_once_more(
    app: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed(app)
    assert main(["approvals", *app, "--approve", "thread-1"]) == 1
    assert "Say --again" in capsys.readouterr().err
    assert main(["approvals", *app, "--list"]) == 0
    assert " ".join(capsys.readouterr().out.split()).count("it may have run") == 2
    code, shown = review(app, monkeypatch, capsys, "a", "n", "a", "y", "r", "")
    assert code == 0
    assert "sent 1" in shown
    assert "sent 2" not in shown
