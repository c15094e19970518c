"""The flows of the Deep Agents human-in-the-loop guide, on real deepagents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from agentkit.permissions import FilesystemPermission
from agentkit.testing import ScriptedChatModel, call

from .conftest import Bench, needs_deepagents, results

pytestmark = needs_deepagents


class Guide:
    """The guide's three tools."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, str]] = []

        @tool
        def remove_file(path: str) -> str:
            "Delete a file from the filesystem."
            self.ran.append(("remove_file", path))
            return f"Deleted {path}"

        @tool
        def fetch_file(path: str) -> str:
            "Read a file from the filesystem."
            self.ran.append(("fetch_file", path))
            return f"Contents of {path}"

        @tool
        def notify_email(to: str, subject: str, body: str) -> str:
            "Send an email."
            self.ran.append(("notify_email", to))
            return f"Sent email to {to}"

        self.tools = [remove_file, fetch_file, notify_email]


GATES: dict[str, Any] = {
    "remove_file": True,
    "fetch_file": False,
    "notify_email": {"allowed_decisions": ["approve", "reject"]},
}
REMOVE = call("remove_file", "r", path="temp.txt")
MAIL = call("notify_email", "m", to="everyone@example.com", subject="s", body="b")


@pytest.fixture
async def bench(mode: str, store: str, tmp_path: Path) -> Any:
    made = Bench("create_deep_agent", mode, store, tmp_path / "t.sqlite")
    await made.open()
    yield made
    await made.close()


def guided(bench: Bench, script: Any, **kwargs: Any) -> tuple[Any, Guide]:
    guide = Guide()
    return bench.agent(script, guide.tools, **{"interrupt_on": GATES, **kwargs}), guide


async def test_the_basic_configuration_pauses_for_what_it_says(bench: Bench) -> None:
    agent, guide = guided(bench, [[REMOVE, call("fetch_file", "f", path="a"), MAIL], "end"])
    result = await bench.invoke(agent)
    (pause,) = result["__interrupt__"]
    reviews = {one["action_name"]: one["allowed_decisions"] for one in pause.value["review_configs"]}
    assert reviews == {
        "remove_file": ["approve", "edit", "reject", "respond"],
        "notify_email": ["approve", "reject"],
    }
    assert guide.ran == []
    decisions = [{"type": "approve"}, {"type": "reject", "message": "User rejected this. Do not retry."}]
    agent = await bench.restart()
    result = await bench.answer(agent, {"decisions": decisions})
    assert sorted(guide.ran) == [("fetch_file", "a"), ("remove_file", "temp.txt")]
    assert results(result)["m"][0] == "error"


@pytest.mark.parametrize(
    ("decision", "ran", "content"),
    [
        ({"type": "approve"}, [("remove_file", "temp.txt")], "Deleted temp.txt"),
        (
            {"type": "edit", "edited_action": {"name": "remove_file", "args": {"path": "other.txt"}}},
            [("remove_file", "other.txt")],
            "Deleted other.txt",
        ),
        ({"type": "reject"}, [], "The tool was not executed. Do not retry"),
        ({"type": "reject", "message": "Ask which file to archive."}, [], "Ask which file to archive."),
        ({"type": "respond", "message": "It is gone already."}, [], "It is gone already."),
    ],
)
async def test_the_table_of_decisions(bench: Bench, decision: Any, ran: Any, content: str) -> None:
    agent, guide = guided(bench, [REMOVE, "end"])
    await bench.invoke(agent)
    result = await bench.answer(agent, {"decisions": [decision]})
    assert guide.ran == ran
    assert content in results(result)["r"][1]


async def test_only_writes_outside_the_workspace_pause(bench: Bench) -> None:
    gates = {
        "write_file": {
            "allowed_decisions": ["approve", "edit", "reject"],
            "when": lambda r: not r.tool_call["args"].get("file_path", "").startswith("/workspace/"),
        }
    }
    script = [
        [
            call("write_file", "in", file_path="/workspace/a", content="1"),
            call("write_file", "out", file_path="/etc/a", content="2"),
        ],
        "end",
    ]
    agent, _ = guided(bench, script, interrupt_on=gates)
    await bench.invoke(agent)
    assert [action.tool_call_id for action in await bench.pending(agent)] == ["out"]
    result = await bench.answer(agent, {"decisions": [{"type": "reject"}]})
    assert set(result["files"]) == {"/workspace/a"}


async def test_streaming_shows_tokens_and_the_pause_and_goes_on(bench: Bench) -> None:
    agent, guide = guided(bench, [REMOVE, "All done now"])
    value: Any = {"messages": [("user", "Delete the file temp.txt")]}
    tokens: list[str] = []
    for _ in range(2):
        pause = None
        if bench.mode == "sync":
            parts = list(agent.stream(value, bench.config, stream_mode=["messages", "updates"]))
        else:
            parts = [p async for p in agent.astream(value, bench.config, stream_mode=["messages", "updates"])]
        for kind, data in parts:
            if kind == "messages":
                tokens.append(str(data[0].content))
            elif "__interrupt__" in data:
                (pause,) = data["__interrupt__"]
        if pause is None:
            break
        value = Command(resume={"decisions": [{"type": "approve"} for _ in pause.value["action_requests"]]})
    assert guide.ran == [("remove_file", "temp.txt")]
    assert "All done now" in "".join(tokens)


async def test_a_sub_agents_own_gates_take_the_place_of_the_parents(bench: Bench) -> None:
    def main(messages: list[Any]) -> Any:
        if next(m for m in messages if m.type == "human").content == "go":
            return [call("fetch_file", "f", path="a"), call("task", "t", description="read", subagent_type="reader")]
        return [call("fetch_file", "f", path="b"), call("remove_file", "r", path="c")]

    guide = Guide()
    spec = {
        "name": "reader",
        "description": "Reads.",
        "system_prompt": "Read.",
        "tools": guide.tools[:2],
        "interrupt_on": {"fetch_file": True},
    }
    agent = bench.agent([main, "end"], guide.tools, interrupt_on=GATES, subagents=[spec])
    value: Any = {"messages": [("user", "go")]}
    if bench.mode == "sync":
        parts = list(agent.stream(value, bench.config, stream_mode="updates"))
    else:
        parts = [part async for part in agent.astream(value, bench.config, stream_mode="updates")]
    assert any("__interrupt__" in part for part in parts)
    (action,) = await bench.pending(agent)
    assert (action.tool, action.where) == ("fetch_file", ("reader",))
    assert guide.ran == [("fetch_file", "a")]
    agent = await bench.restart()
    await bench.answer(agent, {"decisions": [{"type": "approve"}]})
    assert sorted(guide.ran) == [("fetch_file", "a"), ("fetch_file", "b"), ("remove_file", "c")]


async def test_the_general_purpose_sub_agent_has_the_parents_gates(bench: Bench) -> None:
    def main(messages: list[Any]) -> Any:
        if next(m for m in messages if m.type == "human").content == "go":
            return call("task", "t", description="remove", subagent_type="general-purpose")
        return REMOVE

    agent, guide = guided(bench, [main, "end"])
    await bench.invoke(agent)
    (action,) = await bench.pending(agent)
    assert (action.tool, action.where) == ("remove_file", ("general-purpose",))
    await bench.answer(agent, [{"type": "reject"}])
    assert guide.ran == []


async def test_an_interrupt_inside_a_sub_agents_tool_takes_any_value(bench: Bench) -> None:
    @tool(description="Request approval.")
    def request_approval(action_description: str) -> str:
        answer = interrupt({"type": "approval_request", "action": action_description, "message": "Please approve"})
        return "APPROVED" if answer.get("approved") else f"REJECTED: {answer.get('reason')}"

    inner = langchain_create_agent(
        ScriptedChatModel(script=[call("request_approval", action_description="deploy")]),
        [request_approval],
        name="approver",
    )
    spec = {"name": "approver", "description": "Approves.", "runnable": inner}
    script = [call("task", "t", description="deploy", subagent_type="approver"), "end"]
    agent, _ = guided(bench, script, subagents=[spec])
    await bench.invoke(agent)
    (action,) = await bench.pending(agent)
    assert (action.tool, action.description, action.where) == (None, "Please approve", ("approver",))
    agent = await bench.restart()
    result = await bench.answer(agent, {"approved": True})
    assert "APPROVED" in results(result)["t"][1]


async def test_a_rule_on_paths_and_a_gate_on_a_tool_share_one_pause(bench: Bench) -> None:
    rules = [FilesystemPermission(operations=["write"], paths=["/secrets/**"], mode="interrupt")]
    script = [[REMOVE, call("write_file", "w", file_path="/secrets/key.txt", content="k")], "end"]
    agent, guide = guided(bench, script, permissions=rules)
    result = await bench.invoke(agent)
    (pause,) = result["__interrupt__"]
    assert [one["name"] for one in pause.value["action_requests"]] == ["remove_file", "write_file"]
    result = await bench.answer(agent, {"decisions": [{"type": "reject"}, {"type": "approve"}]})
    assert guide.ran == []
    assert set(result["files"]) == {"/secrets/key.txt"}


def test_a_gate_for_a_tool_no_sub_agent_has_is_refused_at_build() -> None:
    from agentkit.agents import create_deep_agent

    spec = {"name": "a", "description": "a", "system_prompt": "a", "interrupt_on": {"remove_fil": True}}
    with pytest.raises(ValueError, match=r"'remove_fil'.*Did you mean 'remove_file'"):
        create_deep_agent(ScriptedChatModel(), Guide().tools, subagents=[spec], checkpointer=InMemorySaver())


def test_without_deepagents_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deepagents", None)
    monkeypatch.delitem(sys.modules, "agentkit.agents.deep", raising=False)
    monkeypatch.delattr("agentkit.agents.create_deep_agent", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'langgraph-agentkit\[deepagents\]'"):
        from agentkit.agents import create_deep_agent  # noqa: F401
