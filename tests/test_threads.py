"""Threads that old versions stored go on (the files in data/threads, one per version of langgraph)."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command, interrupt

from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call
from tests.legacy import needs_upstream, upstream_react_agent

FILES = sorted(Path(__file__).parent.glob("data/threads/*.sqlite"))


def threads(path: Path) -> dict[str, Any]:
    return json.loads(path.with_suffix(".json").read_text())["threads"]


CASES = [
    pytest.param(path, thread, info, id=f"{path.stem}-{thread}")
    for path in FILES
    for thread, info in threads(path).items()
]

SCRIPTS = {
    "one": [call("add", id="call_1", a=1, b=2)],
    "two": [[call("add", id="call_1", a=1, b=2), call("add", id="call_2", a=3, b=4)]],
    "ask": [call("ask", id="call_1", q="ok?")],
    "ask2": [[call("add", id="call_1", a=1, b=2), call("ask", id="call_2", q="ok?")]],
}
# Scenario -> (script, the agent's static pauses, how it is resumed, the tool results at its end).
SCENARIOS: dict[str, tuple[str, dict[str, list[str]], Any, list[str]]] = {
    "a_before_tools": ("one", {"interrupt_before": ["tools"]}, None, ["3"]),
    "a2_before_tools_two_calls": ("two", {"interrupt_before": ["tools"]}, None, ["3", "7"]),
    "a3_after_agent": ("one", {"interrupt_after": ["agent"]}, None, ["3"]),
    "d_after_tools": ("one", {"interrupt_after": ["tools"]}, None, ["3"]),
    "b_interrupt_in_tool": ("ask", {}, "yes", ["human said yes"]),
    "b2_interrupt_in_one_of_two_tools": ("ask2", {}, "yes", ["3", "human said yes"]),
    "c_finished": ("one", {}, ..., ["3"]),
}


class Opened:
    """An agent on a copy of a stored file, and what its tools did."""

    def __init__(self, build: Any, saver: Any, scenario: str, version: str) -> None:
        self.ran: list[Any] = []
        script, pauses, _, _ = SCENARIOS[scenario]

        @tool
        def add(a: int, b: int) -> str:
            """Add two numbers."""
            self.ran.append(("add", a, b))
            return str(a + b)

        @tool
        def ask(q: str) -> str:
            """Ask the person."""
            answer = interrupt({"question": q})
            self.ran.append(("ask", q, answer))
            return f"human said {answer}"

        model = ScriptedChatModel(script=SCRIPTS[script])
        self.agent = build(model, [add, ask], checkpointer=saver, version=version, **pauses)


def inputs_of(info: dict[str, Any]) -> list[Any]:
    """What resumes the thread: one input, and a second where the first pauses at a static interrupt again."""
    how = SCENARIOS[info["scenario"]][2]
    if how is ... or not (info["next"] or info["interrupts"]):
        return [{"messages": [("user", "again")]}]
    return [None if how is None else Command(resume=how)]


def drive(opened: Opened, thread: str, info: dict[str, Any]) -> Any:
    try:
        return _drive(opened, thread, info)
    except TypeError as error:
        if "'Interrupt' object is not subscriptable" in str(error):
            pytest.skip("this langgraph can't read the interrupts that 0.2 stored; newer ones can")
        raise


def _drive(opened: Opened, thread: str, info: dict[str, Any]) -> Any:
    config = {"configurable": {"thread_id": thread}}
    for given in inputs_of(info):
        opened.agent.invoke(given, config)
    while opened.agent.get_state(config).next:
        opened.agent.invoke(None, config)
    return opened.agent.get_state(config)


def copy_of(path: Path, tmp_path: Path, name: str) -> sqlite3.Connection:
    return sqlite3.connect(shutil.copy(path, tmp_path / name), check_same_thread=False)


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(("path", "thread", "info"), CASES)
def test_a_stored_thread_resumes_to_the_end(
    path: Path, thread: str, info: dict[str, Any], version: str, tmp_path: Path
) -> None:
    with closing(copy_of(path, tmp_path, "ours.sqlite")) as connection:
        opened = Opened(create_react_agent, SqliteSaver(connection), info["scenario"], version)
        state = drive(opened, thread, info)

    assert state.next == ()
    messages = state.values["messages"]
    before = [tuple(message) for message in info["messages"]]
    assert [(m.type, m.content) for m in messages][: len(before)] == before
    if info["next"]:
        _, _, _, results = SCENARIOS[info["scenario"]]
        assert [m.content for m in messages if m.type == "tool"] == results
        assert messages[-1].content == "done: " + ", ".join(results)
    assert isinstance(messages[-1], AIMessage)


@needs_upstream
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(("path", "thread", "info"), CASES)
def test_its_tools_run_as_often_as_on_upstreams_newest_legacy_agent(
    path: Path, thread: str, info: dict[str, Any], version: str, tmp_path: Path
) -> None:
    seen = {}
    for name, build in (("ours", create_react_agent), ("theirs", upstream_react_agent)):
        with closing(copy_of(path, tmp_path, f"{name}.sqlite")) as connection:
            opened = Opened(build, SqliteSaver(connection), info["scenario"], version)
            state = drive(opened, thread, info)
        seen[name] = (sorted(opened.ran), [(m.type, m.content) for m in state.values["messages"]], state.next)
    assert seen["ours"] == seen["theirs"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_a_stored_thread_resumes_with_the_async_saver(path: Path, tmp_path: Path) -> None:
    thread = next(iter(threads(path)))
    copied = shutil.copy(path, tmp_path / "ours.sqlite")
    async with AsyncSqliteSaver.from_conn_string(str(copied)) as saver:
        opened = Opened(create_react_agent, saver, "a_before_tools", "v2")
        config = {"configurable": {"thread_id": thread}}
        await opened.agent.ainvoke(None, config)
        state = await opened.agent.aget_state(config)
    assert state.next == ()
    assert state.values["messages"][-1].content == "done: 3"
    assert opened.ran == [("add", 1, 2)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_thread_that_waits_at_a_node_the_agent_lacks_is_refused(path: Path, version: str, tmp_path: Path) -> None:
    thread = "v0-a_before_tools" if path.stem == "lg0.2.0" else f"{version}-a_before_tools"
    with closing(copy_of(path, tmp_path, "ours.sqlite")) as connection:
        agent = create_react_agent(ScriptedChatModel(), [], checkpointer=SqliteSaver(connection))
        config = {"configurable": {"thread_id": thread}}
        for open_it in (
            lambda: agent.invoke(None, config),
            lambda: agent.invoke({"messages": [HumanMessage("again")]}, config),
            lambda: list(agent.stream(None, config)),
            lambda: agent.get_state(config),
        ):
            with pytest.raises(ValueError, match=r"waits at node 'tools', which this agent does not have \(it has: a"):
                open_it()


def test_a_hooks_waiting_node_is_refused_too_and_the_thread_is_left_as_it_was(open_sqlite: Any) -> None:
    hook = {"pre_model_hook": lambda state: {}}
    config = {"configurable": {"thread_id": "1"}}
    paused = create_react_agent(
        ScriptedChatModel(script=["hi"]), [], checkpointer=open_sqlite(), interrupt_before=["pre_model_hook"], **hook
    )
    paused.invoke({"messages": [HumanMessage("hello")]}, config)
    with pytest.raises(ValueError, match="waits at node 'pre_model_hook'"):
        create_react_agent(ScriptedChatModel(), [], checkpointer=open_sqlite()).invoke(None, config)

    right = create_react_agent(ScriptedChatModel(script=["hi"]), [], checkpointer=open_sqlite(), **hook)
    assert right.invoke(None, config)["messages"][-1].content == "hi"
