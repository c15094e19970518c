"""What agentkit relies on in langgraph for pauses, each shape in one test."""

from __future__ import annotations

import dataclasses
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from agentkit import _upstream as up

CONFIG: Any = {"configurable": {"thread_id": "t"}}


def seen_by_a_node(saver: Any = None) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def node(state: MessagesState, config: RunnableConfig) -> Any:
        seen.update(config[up.CONF])
        seen["metadata"] = config["metadata"]
        return {}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.compile(checkpointer=saver).invoke({"messages": []}, CONFIG)
    return seen


def test_a_task_is_told_its_saver_its_checkpoint_and_its_own_id() -> None:
    saver = InMemorySaver()
    seen = seen_by_a_node(saver)
    assert seen[up.CONFIG_KEY_CHECKPOINTER] is saver
    assert seen_by_a_node()[up.CONFIG_KEY_CHECKPOINTER] is None
    assert isinstance(seen[up.CONFIG_KEY_CHECKPOINT_MAP][""], str)
    name, _, task = seen[up.CONFIG_KEY_CHECKPOINT_NS].rpartition(":")
    assert (name, len(task)) == ("node", 36)
    assert seen["metadata"]["langgraph_path"][0] != up.PUSH


def test_a_task_can_read_a_channel_and_send_writes() -> None:
    seen = seen_by_a_node(InMemorySaver())
    assert seen[up.CONFIG_KEY_READ]("messages") == []
    assert callable(seen[up.CONFIG_KEY_SEND])


def test_the_scratchpad_has_the_fields_that_are_replaced() -> None:
    pad = seen_by_a_node(InMemorySaver())[up.CONFIG_KEY_SCRATCHPAD]
    fields = {one.name for one in dataclasses.fields(pad)}
    assert {"interrupt_counter", "get_null_resume", "resume"} <= fields


def test_a_pause_and_an_unaddressed_answer_are_stored_where_they_are_looked_for() -> None:
    saver = InMemorySaver()

    def node(state: MessagesState) -> Any:
        interrupt("first")
        interrupt("second")
        return {}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    compiled = graph.compile(checkpointer=saver)
    compiled.invoke({"messages": []}, CONFIG)
    compiled.invoke(Command(resume="answer"), CONFIG)
    found = saver.get_tuple(CONFIG)
    assert found is not None
    writes = {(task == up.NULL_TASK_ID, channel): value for task, channel, value in found.pending_writes or ()}
    assert writes[(False, up.INTERRUPT)][0].value == "second"
    assert writes[(True, up.RESUME)] == "answer"


def test_a_saver_keeps_the_first_of_two_values_in_one_place() -> None:
    saver = InMemorySaver()
    seen_by_a_node(saver)
    found = saver.get_tuple(CONFIG)
    assert found is not None
    for value in ("first", "second"):
        saver.put_writes(found.config, [("agentkit_claim", value)], "slot")
    again = saver.get_tuple(CONFIG)
    assert again is not None
    assert [value for task, _, value in again.pending_writes or () if task == "slot"] == ["first"]
