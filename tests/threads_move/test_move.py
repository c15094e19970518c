"""Legacy threads that go on with an agent whose nodes have other names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware, HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.managed import RemainingSteps
from langgraph.types import Command

from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.threads import amove, move
from tests.threads_move.agents import CONFIG, HELLO, ONE, RUNS, TWO, current, legacy, snapshot, texts


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    ("pause", "waits_at", "goes_to"),
    [
        ({"interrupt_before": ["tools"]}, ("tools",), ("tools",)),
        ({"interrupt_after": ["agent"]}, ("tools",), ("tools",)),
        ({"interrupt_after": ["tools"]}, ("agent",), ("model",)),
        ({"interrupt_before": ["agent"]}, ("agent",), ("model",)),
    ],
)
def test_a_paused_thread_goes_on_where_it_stood(
    saver: Any, version: str, pause: dict[str, list[str]], waits_at: tuple[str], goes_to: tuple[str]
) -> None:
    legacy(saver, version=version, **pause).invoke(HELLO, CONFIG)
    target = {key: ["model" if node == "agent" else node for node in nodes] for key, nodes in pause.items()}
    agent = current(saver, **target)
    (report,) = move(saver, agent, write=True)
    assert (report.outcome, report.waits_at, report.goes_to) == ("moved", waits_at, goes_to)
    assert agent.get_state(CONFIG).next == goes_to
    for _ in range(4):
        if agent.get_state(CONFIG).next:
            agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]
    assert RUNS == ["add 1 2"]


def test_without_a_move_bare_create_agent_never_gets_past_the_pause(saver: Any) -> None:
    """The trap itself: when this fails, langgraph has mended it and `move` may not be needed."""
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, interrupt_before=["tools"])
    for _ in range(3):
        agent.invoke(None, CONFIG)
    assert agent.get_state(CONFIG).next == ("tools",)
    assert RUNS == []


def test_a_finished_thread_pauses_and_goes_on_in_its_next_turn(saver: Any) -> None:
    script = ["hello", *ONE]
    legacy(saver, script).invoke(HELLO, CONFIG)
    agent = current(saver, script, interrupt_before=["tools"])
    (report,) = move(saver, agent, write=True)
    assert (report.outcome, report.waits_at, report.goes_to) == ("moved", (), ())
    agent.invoke({"messages": [("user", "more")]}, CONFIG)
    assert agent.get_state(CONFIG).next == ("tools",)
    agent.invoke(None, CONFIG)
    assert texts(agent)[-2:] == ["3", "done: 3"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_tool_that_had_finished_beside_one_that_waits_runs_as_often_as_before(saver: Any, version: str) -> None:
    legacy(saver, TWO, version=version).invoke(HELLO, CONFIG)
    agent = current(saver, TWO)
    move(saver, agent, write=True)
    agent.invoke(Command(resume="yes"), CONFIG)
    assert texts(agent)[-1] == "done: 3, human said yes"
    # v1 runs both tools in one task, which starts again; v2 keeps what was done.
    again = ["add 1 2"] if version == "v1" else []
    assert ["add 1 2", *again, "ask yes"] == RUNS


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_thread_that_waits_before_tools_is_put_back_to_the_review(saver: Any, version: str) -> None:
    legacy(saver, version=version, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    gate = HumanInTheLoopMiddleware({"add": True})
    agent = current(saver, middleware=[gate])
    (report,) = move(saver, agent, write=True)
    assert report.goes_to == ("HumanInTheLoopMiddleware.after_model",)
    paused = agent.invoke(None, CONFIG)
    assert paused["__interrupt__"][0].value["action_requests"][0]["name"] == "add"
    agent.invoke(Command(resume={"decisions": [{"type": "reject", "message": "no"}]}), CONFIG)
    assert RUNS == []


@pytest.mark.parametrize("before", ["nothing", "another middleware", "a gate in an earlier turn"])
def test_so_is_one_whose_nodes_keep_their_names(saver: Any, before: str) -> None:
    gate = HumanInTheLoopMiddleware({"add": True})
    if before == "a gate in an earlier turn":
        current(saver, ["hello"], middleware=[gate]).invoke(HELLO, CONFIG)
    others = [Watch()] if before == "another middleware" else []
    script = ["hello", *ONE] if before == "a gate in an earlier turn" else ONE
    current(saver, script, middleware=others, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, script, middleware=[*others, gate])
    (report,) = move(saver, agent, write=True)
    assert (report.outcome, report.waits_at) == ("moved", ("tools",))
    paused = agent.invoke(None, CONFIG)
    assert paused["__interrupt__"][0].value["action_requests"][0]["name"] == "add"
    agent.invoke(Command(resume={"decisions": [{"type": "reject", "message": "no"}]}), CONFIG)
    assert RUNS == []


REVIEWED = {"decisions": [{"type": "approve"}]}
TURNS = [*ONE, "done", call("add", "call_2", a=3, b=4)]


@pytest.mark.parametrize("before_model", [False, True])
@pytest.mark.parametrize("between", ["legacy v1", "legacy v2", "ungated", "update as model", "update as agent"])
def test_so_is_one_whose_agent_had_the_review_in_an_earlier_turn(saver: Any, between: str, before_model: bool) -> None:
    others = [Trim()] if before_model else []
    agent = current(saver, TURNS, middleware=[*others, HumanInTheLoopMiddleware({"add": True})])
    agent.invoke(HELLO, CONFIG)
    agent.invoke(Command(resume=REVIEWED), CONFIG)
    asked = AIMessage("", id="by hand", tool_calls=[{**call("add", "call_2", a=3, b=4), "type": "tool_call"}])
    if between.startswith("legacy"):
        legacy(saver, TURNS, version=between[-2:], interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    elif between == "ungated":
        current(saver, TURNS, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    elif between == "update as model":
        current(saver, TURNS).update_state(CONFIG, {"messages": [asked]}, as_node="model")
    else:
        legacy(saver, TURNS).update_state(CONFIG, {"messages": [asked]}, as_node="agent")
    RUNS.clear()
    (report,) = move(saver, agent, write=True)
    assert report.goes_to == ("HumanInTheLoopMiddleware.after_model",)
    assert agent.invoke(None, CONFIG)["__interrupt__"][0].value["action_requests"][0]["args"] == {"a": 3, "b": 4}
    assert RUNS == []


def test_threads_of_another_agent_are_known_by_their_tools_and_left_alone(saver: Any) -> None:
    def other(q: str) -> str:
        """Do something else."""
        return q

    model = ScriptedChatModel(script=[call("other", "c", q="x"), "end"])
    for name, build in (("b", create_agent), ("d", create_react_agent)):
        config: Any = {"configurable": {"thread_id": name}}
        build(model, [other], checkpointer=saver, interrupt_before=["tools"]).invoke(HELLO, config)
    before = [snapshot(saver, name) for name in "bd"]
    reports = move(saver, current(middleware=[HumanInTheLoopMiddleware({"add": True})]), write=True)
    assert [(report.outcome, "it calls 'other'" in report.reason) for report in reports] == [("unchanged", True)] * 2
    assert [snapshot(saver, name) for name in "bd"] == before


def test_a_thread_that_was_reviewed_is_not_asked_about_again(saver: Any) -> None:
    agent = current(saver, middleware=[HumanInTheLoopMiddleware({"add": True})], interrupt_before=["tools"])
    agent.invoke(HELLO, CONFIG)
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, agent, write=True)
    assert (report.outcome, report.waits_at) == ("unchanged", ("tools",))
    assert snapshot(saver) == before


def test_agentkits_own_agent_asks_after_a_move_too(saver: Any) -> None:
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = legacy(saver, interrupt_on={"add": True})
    (report,) = move(saver, agent, write=True)
    assert report.goes_to == ("HumanInTheLoopMiddleware.after_model",)
    agent.invoke(None, CONFIG)
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), CONFIG)
    assert RUNS == ["add 1 2"]


def test_a_thread_whose_tools_have_begun_is_not_let_past_a_gate(saver: Any) -> None:
    legacy(saver, TWO).invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, current(saver, TWO, middleware=[HumanInTheLoopMiddleware({"ask": True})]), write=True)
    assert report.outcome == "refused"
    assert "tool calls have begun" in report.reason
    assert snapshot(saver) == before


class Watch(AgentMiddleware):
    def after_model(self, state: Any, runtime: Any) -> None:
        return None


class Trim(AgentMiddleware):
    def before_model(self, state: Any, runtime: Any) -> None:
        return None


def test_a_thread_at_a_hook_is_refused_until_its_place_is_named(saver: Any) -> None:
    def hook(state: Any) -> dict[str, list[BaseMessage]]:
        return {"llm_input_messages": state["messages"]}

    paused = legacy(saver, pre_model_hook=hook, interrupt_before=["pre_model_hook"])
    paused.invoke(HELLO, CONFIG)
    agent = current(saver, middleware=[Trim()])
    before = snapshot(saver)
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "refused"
    assert "'pre_model_hook'" in report.reason
    assert "Trim.before_model" in report.reason
    assert snapshot(saver) == before
    (report,) = move(saver, agent, nodes={"pre_model_hook": "Trim.before_model"}, write=True)
    assert report.goes_to == ("Trim.before_model",)
    agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]


class WithBudget(AgentState):
    budget: int


class Budgeted(WithBudget):
    remaining_steps: RemainingSteps


def test_a_state_key_that_the_agent_lacks_is_refused_unless_it_is_dropped(saver: Any) -> None:
    old = legacy(saver, state_schema=Budgeted, interrupt_before=["tools"])
    old.invoke({**HELLO, "budget": 7}, CONFIG)
    agent = current(saver, interrupt_before=["tools"])
    before = snapshot(saver)
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "refused"
    assert "'budget'" in report.reason
    assert "drop=" in report.reason
    assert snapshot(saver) == before
    (report,) = move(saver, agent, drop=["budget"], write=True)
    assert report.outcome == "moved"
    assert agent.invoke(None, CONFIG)["messages"][-1].content == "done: 3"


def test_a_state_key_that_the_agent_has_is_kept(saver: Any) -> None:
    legacy(saver, state_schema=Budgeted, interrupt_before=["tools"]).invoke({**HELLO, "budget": 7}, CONFIG)
    agent = current(saver, state_schema=WithBudget, interrupt_before=["tools"])
    move(saver, agent, write=True)
    assert agent.invoke(None, CONFIG)["budget"] == 7


def test_an_agent_that_keeps_the_legacy_names_needs_no_move(saver: Any) -> None:
    legacy(saver, state_schema=Budgeted, interrupt_before=["tools"]).invoke({**HELLO, "budget": 7}, CONFIG)
    assert [report.outcome for report in move(saver, legacy(saver), write=True)] == ["unchanged"]


def test_what_a_hook_showed_the_model_does_not_hold_the_thread_back(saver: Any) -> None:
    def hook(state: Any) -> dict[str, list[BaseMessage]]:
        return {"llm_input_messages": state["messages"]}

    legacy(saver, pre_model_hook=hook, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, interrupt_before=["tools"])
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "moved"
    agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]


def test_nothing_is_written_without_write(saver: Any) -> None:
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, current(saver, interrupt_before=["tools"]))
    assert (report.outcome, report.copy_id) == ("moved", "")
    assert snapshot(saver) == before


def test_the_copy_is_the_original_and_resumes_with_the_legacy_agent(saver: Any) -> None:
    old = legacy(saver, interrupt_before=["tools"])
    old.invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, current(saver, interrupt_before=["tools"]), write=True)
    assert snapshot(saver, report.copy_id) == before
    assert snapshot(saver) != before
    done = old.invoke(None, {"configurable": {"thread_id": report.copy_id}})
    assert done["messages"][-1].content == "done: 3"


def test_moving_again_changes_nothing_and_leaves_copies_alone(saver: Any) -> None:
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, interrupt_before=["tools"])
    move(saver, agent, write=True)
    after = snapshot(saver)
    assert [report.outcome for report in move(saver, agent, write=True)] == ["unchanged"]
    assert snapshot(saver) == after


def test_a_thread_of_create_agent_is_left_unchanged(saver: Any) -> None:
    agent = current(saver, interrupt_before=["tools"])
    agent.invoke(HELLO, CONFIG)
    assert [report.outcome for report in move(saver, agent, write=True)] == ["unchanged"]


def test_only_the_named_threads_are_moved_and_an_unknown_one_is_refused(saver: Any) -> None:
    old = legacy(saver, interrupt_before=["tools"])
    for thread_id in ("a", "b"):
        old.invoke(HELLO, {"configurable": {"thread_id": thread_id}})
    reports = move(saver, current(), thread_ids=["b", "absent"], write=True)
    assert [(report.thread_id, report.outcome) for report in reports] == [("absent", "refused"), ("b", "moved")]
    assert [report.outcome for report in move(saver, current(), thread_ids=["a"])] == ["moved"]


def test_the_history_can_still_be_read_and_forked_after_the_move(saver: Any) -> None:
    legacy(saver).invoke(HELLO, CONFIG)
    agent = current(saver)
    move(saver, agent, write=True)
    states = list(agent.get_state_history(CONFIG))
    assert [state.next for state in states] == [(), ("model",), ("tools",), ("model",), ("__start__",)]
    RUNS.clear()
    agent.invoke(None, states[2].config)
    assert RUNS == ["add 1 2"]


def test_renaming_to_a_node_that_the_graph_lacks_is_an_error(saver: Any) -> None:
    with pytest.raises(ValueError, match=r"'modle'.*no such node.*model, tools"):
        move(saver, current(), nodes={"agent": "modle"})


async def test_threads_of_an_async_saver_are_moved_with_amove(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        await legacy(saver, interrupt_before=["tools"]).ainvoke(HELLO, CONFIG)
        agent = current(saver, interrupt_before=["tools"])
        (report,) = await amove(saver, agent, write=True)
        assert report.outcome == "moved"
        done = await agent.ainvoke(None, CONFIG)
    assert done["messages"][-1].content == "done: 3"
