"""Legacy agents that are nodes of another graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.threads import amove, move
from tests.threads_move.agents import CONFIG, HELLO, ONE, RUNS, TWO, current, legacy, snapshot, texts
from tests.threads_move.test_move import Trim

ASK = [call("ask", "call_1", q="ok?")]


def parent(saver: Any, worker: Any, name: str = "worker", **options: Any) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node(name, worker)
    graph.add_edge(START, name)
    return graph.compile(checkpointer=saver, **options)


def finish(graph: Any, begin: Any = None) -> None:
    for _ in range(4):
        graph.invoke(begin, CONFIG)
        begin = None
        if not graph.get_state(CONFIG).next:
            return


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    ("pause", "waits_at", "goes_to"),
    [
        ({"interrupt_before": ["tools"]}, "tools", "tools"),
        ({"interrupt_after": ["tools"]}, "agent", "model"),
        ({"interrupt_before": ["agent"]}, "agent", "model"),
    ],
)
def test_a_legacy_agent_that_is_a_node_goes_on_where_it_stood(
    saver: Any, version: str, pause: dict[str, list[str]], waits_at: str, goes_to: str
) -> None:
    parent(saver, legacy(None, version=version, **pause)).invoke(HELLO, CONFIG)
    target = {key: ["model" if node == "agent" else node for node in nodes] for key, nodes in pause.items()}
    graph = parent(saver, current(**target))
    (report,) = move(saver, graph, write=True)
    assert report.outcome == "moved"
    assert report.waits_at == ("worker", f"worker|{waits_at}")
    assert report.goes_to == ("worker", f"worker|{goes_to}")
    finish(graph)
    assert texts(graph) == ["hi", "", "3", "done: 3"]
    assert RUNS == ["add 1 2"]


async def test_so_it_does_with_an_async_saver(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        await parent(saver, legacy(None, interrupt_after=["tools"])).ainvoke(HELLO, CONFIG)
        graph = parent(saver, current(middleware=[Trim()]))
        (report,) = await amove(saver, graph, write=True)
        assert report.goes_to == ("worker", "worker|Trim.before_model")
        done = await graph.ainvoke(None, CONFIG)
    assert done["messages"][-1].content == "done: 3"


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_its_tools_run_as_often_as_without_the_move(saver: Any, version: str) -> None:
    old = parent(saver, legacy(None, TWO, version=version))
    old.invoke(HELLO, CONFIG)
    finish(old, Command(resume="yes"))
    without = sorted(RUNS)
    saver.delete_thread("t")
    RUNS.clear()
    old.invoke(HELLO, CONFIG)
    graph = parent(saver, current(None, TWO))
    (report,) = move(saver, graph, write=True)
    assert report.outcome == "moved"
    finish(graph, Command(resume="yes"))
    assert texts(graph)[-1] == "done: 3, human said yes"
    assert sorted(RUNS) == without


def test_an_agent_two_graphs_deep_goes_on(saver: Any) -> None:
    parent(saver, parent(None, legacy(None, interrupt_after=["tools"]), "inner"), "outer").invoke(HELLO, CONFIG)
    graph = parent(saver, parent(None, current(), "inner"), "outer")
    (report,) = move(saver, graph, write=True)
    assert report.goes_to == ("outer", "outer|inner", "outer|inner|model")
    finish(graph)
    assert texts(graph) == ["hi", "", "3", "done: 3"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_its_calls_are_put_back_to_the_review_of_the_new_agent(saver: Any, version: str) -> None:
    parent(saver, legacy(None, version=version, interrupt_before=["tools"])).invoke(HELLO, CONFIG)
    graph = parent(saver, current(middleware=[HumanInTheLoopMiddleware({"add": True})]))
    (report,) = move(saver, graph, write=True)
    assert report.goes_to == ("worker", "worker|HumanInTheLoopMiddleware.after_model")
    paused = graph.invoke(None, CONFIG)
    assert paused["__interrupt__"][0].value["action_requests"][0]["name"] == "add"
    graph.invoke(Command(resume={"decisions": [{"type": "reject", "message": "no"}]}), CONFIG)
    assert graph.get_state(CONFIG).next == ()
    assert RUNS == []


def test_an_agent_that_a_node_function_calls_goes_on(saver: Any) -> None:
    def around(agent: Any) -> Any:
        def work(state: Any, config: RunnableConfig) -> Any:
            return {"messages": agent.invoke({"messages": state["messages"]}, config)["messages"]}

        return work

    parent(saver, around(legacy(None, interrupt_after=["tools"]))).invoke(HELLO, CONFIG)
    graph = parent(saver, around(current()))
    (report,) = move(saver, graph, write=True)
    assert report.goes_to == ("worker", "worker|model")
    finish(graph)
    assert texts(graph) == ["hi", "", "3", "done: 3"]


def test_an_agent_that_a_node_function_calls_twice_goes_on_in_its_second_call(saver: Any) -> None:
    def around(agent: Any) -> Any:
        def work(state: Any, config: RunnableConfig) -> Any:
            agent.invoke({"messages": [("user", "one")]}, config)
            return {"messages": agent.invoke({"messages": [("user", "two")]}, config)["messages"]}

        return work

    old = parent(saver, around(legacy(None, ASK)))
    old.invoke(HELLO, CONFIG)
    old.invoke(Command(resume="yes"), CONFIG)
    graph = parent(saver, around(current(None, ASK)))
    (report,) = move(saver, graph, write=True)
    assert report.goes_to == ("worker", "worker|tools")
    graph.invoke(Command(resume="again"), CONFIG)
    assert texts(graph) == ["hi", "two", "", "human said again", "done: human said again"]
    assert RUNS == ["ask yes", "ask again"]


def test_it_is_refused_where_a_node_function_uses_more_than_one_agent(saver: Any) -> None:
    def around(first: Any, second: Any) -> Any:
        def work(state: Any, config: RunnableConfig) -> Any:
            agent = second if len(state["messages"]) == 1 else first
            return {"messages": agent.invoke({"messages": state["messages"]}, config)["messages"]}

        return work

    parent(saver, around(legacy(None), legacy(None, interrupt_after=["tools"]))).invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, parent(saver, around(current(), current(middleware=[Trim()]))), write=True)
    assert report.outcome == "refused"
    assert "inside node 'worker' is to go on" in report.reason
    assert snapshot(saver) == before


def with_helper(saver: Any, helper: Any, build: Any) -> Any:
    def add(a: int, b: int, config: RunnableConfig) -> str:
        """Let a helper add."""
        return str(helper.invoke(HELLO, config)["messages"][-1].content)

    return build(ScriptedChatModel(script=ONE), [add], checkpointer=saver)


def test_a_legacy_agent_that_waits_inside_a_tool_is_refused(saver: Any) -> None:
    with_helper(saver, legacy(None, ASK), create_react_agent).invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, with_helper(saver, current(None, ASK), create_agent), write=True)
    assert report.outcome == "refused"
    assert "a legacy agent inside node 'tools' is to go on" in report.reason
    assert snapshot(saver) == before


@pytest.mark.parametrize("build", [create_react_agent, create_agent])
def test_so_is_one_of_which_it_cannot_be_told_whether_it_reviews_the_calls(saver: Any, build: Any) -> None:
    with_helper(saver, current(None, interrupt_before=["tools"]), build).invoke(HELLO, CONFIG)
    before = snapshot(saver)
    gated = current(None, middleware=[HumanInTheLoopMiddleware({"add": True})])
    (report,) = move(saver, with_helper(saver, gated, create_agent), write=True)
    assert report.outcome == "refused"
    assert "does not tell whether the agent that goes on there reviews calls" in report.reason
    assert snapshot(saver) == before


def test_a_new_agent_that_waits_inside_a_tool_of_a_legacy_agent_goes_on(saver: Any) -> None:
    with_helper(saver, current(None, ASK), create_react_agent).invoke(HELLO, CONFIG)
    graph = with_helper(saver, current(None, ASK), create_agent)
    (report,) = move(saver, graph, write=True)
    assert report.outcome == "moved"
    finish(graph, Command(resume="yes"))
    assert texts(graph)[-1] == "done: done: human said yes"
    assert RUNS == ["ask yes"]


def test_an_agent_inside_a_node_that_is_gone_is_left_alone_and_refused_when_named(saver: Any) -> None:
    parent(saver, legacy(None, interrupt_after=["tools"]), "old").invoke(HELLO, CONFIG)
    graph = parent(saver, current())
    (report,) = move(saver, graph)
    assert (report.outcome, "'old'" in report.reason) == ("unchanged", True)
    assert [report.outcome for report in move(saver, graph, nodes={"old": "worker"})] == ["refused"]


def test_an_agent_with_a_memory_of_its_own_pauses_and_goes_on_in_the_next_turn(saver: Any) -> None:
    script: list[Any] = ["hello", *ONE]
    old = parent(saver, legacy(True, script))
    old.invoke(HELLO, CONFIG)
    graph = parent(saver, current(True, script, interrupt_before=["tools"]))
    (report,) = move(saver, graph, write=True)
    assert report.outcome == "moved"
    graph.invoke({"messages": [("user", "more")]}, CONFIG)
    assert graph.get_state(CONFIG).next == ("worker",)
    finish(graph)
    assert graph.get_state(CONFIG).values["messages"][-1].content == "done: 3"


def test_it_is_refused_where_the_new_graph_would_begin_it_anew(open_sqlite: Any) -> None:
    saver = open_sqlite()
    parent(saver, legacy(None, interrupt_after=["tools"]), "old").invoke(HELLO, CONFIG)
    # As left by a process that was killed: nothing tells that the node had begun, but for its checkpoints.
    saver.conn.execute("DELETE FROM writes WHERE checkpoint_ns = ''")
    saver.conn.execute("UPDATE checkpoints SET checkpoint_ns = replace(checkpoint_ns, 'old:', 'worker:')")
    saver.conn.execute("UPDATE writes SET checkpoint_ns = replace(checkpoint_ns, 'old:', 'worker:')")
    saver.conn.commit()
    (report,) = move(saver, parent(saver, current()), nodes={"old": "worker"}, write=True)
    assert report.outcome == "refused"
    assert "'worker' has not finished, and the new graph would begin it anew" in report.reason


def test_a_sub_graph_that_was_stored_without_its_task_is_refused_as_langgraph_begins_it_anew(open_sqlite: Any) -> None:
    saver = open_sqlite()
    parent(saver, legacy(None, interrupt_after=["tools"])).invoke(HELLO, CONFIG)
    # As langgraph 0.2.0 did.
    saver.conn.execute("UPDATE checkpoints SET checkpoint_ns = 'worker' WHERE checkpoint_ns != ''")
    saver.conn.execute("UPDATE writes SET checkpoint_ns = 'worker' WHERE checkpoint_ns != ''")
    saver.conn.commit()
    (report,) = move(saver, parent(saver, current()), write=True)
    assert report.outcome == "refused"
    assert "would begin it anew" in report.reason


def test_a_helper_that_finished_inside_a_tool_does_not_hold_the_thread_back(saver: Any) -> None:
    with_helper(saver, legacy(None, interrupt_after=["agent"]), create_react_agent).invoke(HELLO, CONFIG)
    with_helper(saver, legacy(None), create_react_agent).invoke(None, CONFIG)
    graph = with_helper(saver, legacy(None), create_agent)
    assert graph.get_state(CONFIG).next == ()
    assert [report.outcome for report in move(saver, graph, write=True)] == ["moved"]
