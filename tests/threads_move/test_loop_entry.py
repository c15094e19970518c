"""Where a moved thread enters the loop, and what its channels become."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    PIIMiddleware,
)
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from agentkit.prebuilt import ToolNode, create_react_agent, tools_condition
from agentkit.testing import ScriptedChatModel, call
from agentkit.threads import amove, move
from tests.threads_move.agents import CONFIG, HELLO, ONE, RUNS, add, current, legacy, snapshot, texts

LOOK = [call("look", "call_1")]


def look() -> str:
    """Look."""
    return "mail bob@example.com"


def redacting(saver: Any) -> Any:
    return create_agent(
        ScriptedChatModel(script=LOOK),
        [look],
        checkpointer=saver,
        middleware=[PIIMiddleware("email", apply_to_tool_results=True)],
        interrupt_after=["tools"],
    )


def test_a_thread_that_waited_at_agent_goes_through_the_before_model_middleware(saver: Any) -> None:
    agent = redacting(saver)
    old = create_react_agent(ScriptedChatModel(script=LOOK), [look], checkpointer=saver, interrupt_after=["tools"])
    old.invoke(HELLO, CONFIG)
    (report,) = move(saver, agent, write=True)
    assert report.goes_to == ("PIIMiddleware[email].before_model",)
    agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "mail [REDACTED_EMAIL]", "done: mail [REDACTED_EMAIL]"]


async def test_so_it_does_with_an_async_saver(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.sqlite")) as saver:
        old = create_react_agent(ScriptedChatModel(script=LOOK), [look], checkpointer=saver, interrupt_after=["tools"])
        await old.ainvoke(HELLO, CONFIG)
        agent = redacting(saver)
        await amove(saver, agent, write=True)
        done = await agent.ainvoke(None, CONFIG)
    assert done["messages"][-1].content == "done: mail [REDACTED_EMAIL]"


class Begin(AgentMiddleware):
    def before_agent(self, state: Any, runtime: Any) -> None:
        return None

    def before_model(self, state: Any, runtime: Any) -> None:
        return None

    def after_agent(self, state: Any, runtime: Any) -> None:
        return None


def direct() -> str:
    """Answer at once."""
    return "3"


DIRECT = StructuredTool.from_function(direct, return_direct=True)


@pytest.mark.parametrize(
    ("tools", "middleware", "entry"),
    [
        ([add], [], "model"),
        ([], [], "model"),
        ([], [Begin()], "Begin.before_model"),
        ([add], [Begin(), ModelCallLimitMiddleware(run_limit=9)], "Begin.before_model"),
        ([add], [ModelCallLimitMiddleware(run_limit=9), Begin()], "ModelCallLimitMiddleware.before_model"),
        ([add, DIRECT], [Begin()], "Begin.before_model"),
    ],
)
def test_the_loop_begins_at_the_first_before_model_node_or_at_the_model(
    tools: list[Any], middleware: list[Any], entry: str
) -> None:
    saver = InMemorySaver()
    legacy(saver, interrupt_before=["agent"]).invoke(HELLO, CONFIG)
    agent = create_agent(ScriptedChatModel(script=["hello"]), tools, checkpointer=saver, middleware=middleware)
    (report,) = move(saver, agent, write=True)
    assert report.goes_to == (entry,)
    assert agent.invoke(None, CONFIG)["messages"][-1].content == "hello"


def by_hand(saver: Any, model: str = "llm", tools: str = "tools", also: str | None = None) -> Any:
    graph = StateGraph(MessagesState)
    if also:
        graph.add_node(also, lambda state: {})
    scripted = ScriptedChatModel(script=ONE)
    graph.add_node(model, lambda state: {"messages": [scripted.invoke(state["messages"])]})
    graph.add_node(tools, ToolNode([add], name=tools))
    graph.add_edge(START, model)
    graph.add_edge(tools, model)
    graph.add_conditional_edges(model, tools_condition, {"tools": tools, END: END})
    return graph.compile(checkpointer=saver)


def test_on_a_graph_made_by_hand_the_loop_begins_at_the_node_that_follows_tools(saver: Any) -> None:
    legacy(saver, interrupt_after=["tools"]).invoke(HELLO, CONFIG)
    graph = by_hand(saver)
    (report,) = move(saver, graph, write=True)
    assert report.goes_to == ("llm",)
    graph.invoke(None, CONFIG)
    assert texts(graph) == ["hi", "", "3", "done: 3"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_thread_that_waits_before_tools_goes_on_at_their_new_name(saver: Any, version: str) -> None:
    legacy(saver, version=version, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    graph = by_hand(saver, "model", "do")
    (report,) = move(saver, graph, nodes={"tools": "do", "agent": "model"}, write=True)
    assert (report.outcome, report.goes_to) == ("moved", ("do",))
    assert "Send(node='tools'" not in repr(snapshot(saver))
    # A task of its own for each call is sent the call alone, which the node made by hand takes too.
    graph.invoke(None, CONFIG)
    assert texts(graph) == ["hi", "", "3", "done: 3"]
    assert RUNS == ["add 1 2"]


def test_a_graph_that_has_a_node_called_agent_keeps_its_threads(saver: Any) -> None:
    graph = by_hand(saver, "agent")
    graph.interrupt_before_nodes = ["agent"]
    graph.invoke(HELLO, CONFIG)
    assert [report.outcome for report in move(saver, graph, write=True)] == ["unchanged"]


def test_threads_of_other_graphs_in_the_same_saver_are_left_alone(saver: Any) -> None:
    graph = by_hand(saver, "chat", "act")
    graph.invoke(HELLO, CONFIG)
    before = snapshot(saver)
    (report,) = move(saver, current(saver), write=True)
    assert (report.outcome, report.copy_id) == ("unchanged", "")
    assert "it knows 'act', 'chat', which neither a legacy agent nor the graph has" in report.reason
    (report,) = move(saver, current(saver), thread_ids=["t"], write=True)
    assert report.outcome == "refused"
    assert "say what became of them with nodes=" in report.reason
    assert snapshot(saver) == before
    (report,) = move(saver, current(saver), nodes={"chat": "model", "act": "tools"})
    assert report.outcome == "moved"


def test_a_thread_of_a_legacy_agent_with_middleware_is_moved_to_an_agent_without(saver: Any) -> None:
    legacy(saver, middleware=[Begin()], interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, interrupt_before=["tools"])
    assert [report.outcome for report in move(saver, agent, write=True)] == ["moved"]
    agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]


class CountsInMemory(InMemorySaver):
    get_next_version = BaseCheckpointSaver.get_next_version  # type: ignore[assignment]


class Counts(SqliteSaver):
    """Counts versions in plain integers, as the async saver did up to langgraph 0.2.0."""

    get_next_version = BaseCheckpointSaver.get_next_version  # type: ignore[assignment]


@pytest.mark.parametrize("pause", [{"interrupt_before": ["tools"]}, {"interrupt_after": ["tools"]}, {}])
def test_a_thread_with_integer_versions_goes_on_with_a_saver_of_today(tmp_path: Path, pause: dict[str, Any]) -> None:
    connection = sqlite3.connect(tmp_path / "threads.sqlite", check_same_thread=False)
    legacy(Counts(connection), **pause).invoke(HELLO, CONFIG)
    saver = SqliteSaver(connection)
    agent = current(saver, **pause)
    (report,) = move(saver, agent, write=True)
    assert report.outcome == "moved"
    agent.invoke(None if pause else {"messages": [("user", "more")]}, CONFIG)
    assert texts(agent)[:4] == ["hi", "", "3", "done: 3"]
    assert RUNS == ["add 1 2"]
    assert len(list(agent.get_state_history(CONFIG))) == (5 if pause else 8)
    connection.close()


@pytest.mark.parametrize("middleware", [[], [HumanInTheLoopMiddleware({"add": True})]])
def test_a_saver_that_counts_in_integers_keeps_doing_so(middleware: list[Any]) -> None:
    saver = CountsInMemory()
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    agent = current(saver, middleware=middleware)
    assert [report.outcome for report in move(saver, agent, write=True)] == ["moved"]
    if middleware:
        agent.invoke(None, CONFIG)
        agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), CONFIG)
    else:
        agent.invoke(None, CONFIG)
    assert texts(agent) == ["hi", "", "3", "done: 3"]


def test_a_thread_whose_versions_the_saver_cannot_count_on_from_is_refused() -> None:
    saver = InMemorySaver()
    legacy(saver, interrupt_after=["tools"]).invoke(HELLO, CONFIG)
    counting = CountsInMemory()
    counting.storage, counting.writes, counting.blobs = saver.storage, saver.writes, saver.blobs
    (report,) = move(counting, current(), write=True)
    assert report.outcome == "refused"
    assert "channel versions are str, and the saver counts in int" in report.reason


def test_a_thread_is_refused_where_what_looks_like_a_review_does_not_follow_the_model(saver: Any) -> None:
    legacy(saver, interrupt_before=["tools"]).invoke(HELLO, CONFIG)
    (report,) = move(saver, by_hand(saver, "model", also="log.after_model"), write=True)
    assert report.outcome == "refused"
    assert "past the node that reviews its calls" in report.reason
