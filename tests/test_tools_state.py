"""How a tool writes and reads the state and ends a run, as the tool guide tells it, on each of agentkit's agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from agentkit.testing import call
from agentkit.tools import InjectedState, tool
from tests.agent_kinds import (
    GO,
    LEGACY,
    PYDANTIC,
    THREAD,
    Kind,
    Runtime,
    answers,
    each_agent,
    each_state,
    get_weather,
)
from tests.ways import both_ways

# --- Command: a tool writes the state ---


@tool
def record_issue(issue: str, runtime: Runtime) -> Command:
    """Record the kind of issue and go on to solving it."""
    done = ToolMessage(f"recorded: {issue}", tool_call_id=runtime.tool_call_id)
    return Command(
        update={"issue_type": issue, "current_step": "resolve", "visited": [issue], "messages": [done]},
    )


@tool
def read_state(state: Annotated[Any, InjectedState], step: Annotated[str, InjectedState("current_step")]) -> str:
    """Read the state."""
    values = state if isinstance(state, dict) else dict(state)
    return f"{values['issue_type']} {step} {values['visited']} {type(state).__name__}"


@both_ways
@each_state
def test_a_command_writes_the_fields_of_a_custom_state_by_their_reducers(way: Any, kind: Kind) -> None:
    script = [call("record_issue", issue="billing"), call("record_issue", issue="refund"), call("read_state"), "done"]
    agent, model = kind.build(script, [record_issue, read_state], state_schema=kind.state)
    result = way.invoke(agent, {**GO, "current_step": "triage", "visited": ["start"]})
    assert result["issue_type"] == "refund"  # no reducer: the last one wins
    assert result["current_step"] == "resolve"
    assert result["visited"] == ["start", "billing", "refund"]  # a reducer: added up
    recorded = answers(result)[0]
    assert (recorded.content, recorded.name, recorded.tool_call_id) == ("recorded: billing", "record_issue", "call_0_0")
    seen = "PydanticState" if kind is PYDANTIC else "dict"
    assert answers(result)[2].content == f"refund resolve ['start', 'billing', 'refund'] {seen}"
    assert model.calls[1].messages[-1].content == "recorded: billing"


@both_ways
@each_state
def test_parallel_commands_are_all_reduced_and_all_seen_in_the_updates(way: Any, kind: Kind) -> None:
    @tool
    def visit(place: str, runtime: Runtime) -> Command:
        """Visit a place."""
        return Command(update={"visited": [place], "messages": [ToolMessage(place, tool_call_id=runtime.tool_call_id)]})

    calls = [call("visit", place="a"), call("visit", place="b"), call("visit", place="c")]
    agent, _ = kind.build([calls, "done"], [visit], state_schema=kind.state)
    assert sorted(way.invoke(agent, {**GO, "visited": ["start"]})["visited"]) == ["a", "b", "c", "start"]
    chunks = [c["tools"] for c in way.stream(agent, {**GO, "visited": []}, stream_mode="updates") if "tools" in c]
    updates = [update for chunk in chunks for update in (chunk if isinstance(chunk, list) else [chunk])]
    assert sorted(place for update in updates for place in update.get("visited", [])) == ["a", "b", "c"]


@both_ways
@each_agent
@pytest.mark.parametrize("update", [{"issue_type": "x"}, {"messages": [ToolMessage("ok", tool_call_id="another")]}])
def test_a_command_without_the_answer_to_its_call_is_an_error_that_says_so(
    way: Any, kind: Kind, update: dict[str, Any]
) -> None:
    @tool
    def forget() -> Command:
        """Forget to answer."""
        return Command(update=update)

    agent, _ = kind.build([call("forget"), "done"], [forget], state_schema=kind.state)
    with pytest.raises(ValueError, match=r"matching ToolMessage in Command\.update for tool 'forget'"):
        way.invoke(agent, GO)


@both_ways
@each_agent
def test_with_handled_errors_a_command_without_its_answer_is_told_to_the_model(way: Any, kind: Kind) -> None:
    @tool
    def forget() -> Command:
        """Forget to answer."""
        return Command(update={})

    agent, _ = kind.build([call("forget"), "sorry"], [forget], handle_tool_errors=True)
    [message] = answers(way.invoke(agent, GO))
    assert message.status == "error"
    assert "matching ToolMessage" in message.content


# --- return_direct ---


@tool(return_direct=True)
def fetch_status(order_id: str) -> str:
    """Get the status of an order."""
    if order_id == "lost":
        raise LookupError("no such order")
    return f"order {order_id}: shipped"


@tool(return_direct=True)
def fetch_and_store(order_id: str, runtime: Runtime) -> Command:
    """Get the status of an order and remember it."""
    status = f"order {order_id}: shipped"
    return Command(
        update={"last_order_status": status, "messages": [ToolMessage(status, tool_call_id=runtime.tool_call_id)]}
    )


@tool
def last_status(status: Annotated[str, InjectedState("last_order_status")]) -> str:
    """Tell the status that was read last."""
    return f"remembered {status}"


@both_ways
@each_agent
def test_return_direct_ends_the_run_with_the_tools_own_answer(way: Any, kind: Kind) -> None:
    agent, model = kind.build([call("fetch_status", order_id="A17"), "never said"], [fetch_status])
    messages = way.invoke(agent, GO)["messages"]
    assert [m.content for m in messages] == ["go", "", "order A17: shipped"]
    assert len(model.calls) == 1


@both_ways
@each_agent
def test_in_an_agent_with_return_direct_the_other_tools_go_back_to_the_model(way: Any, kind: Kind) -> None:
    script = [call("get_weather", city="a"), call("fetch_status", order_id="A17"), "never said"]
    agent, model = kind.build(script, [fetch_status, get_weather])
    assert way.invoke(agent, GO)["messages"][-1].content == "order A17: shipped"
    assert len(model.calls) == 2


@both_ways
@pytest.mark.parametrize("kind", LEGACY, ids=lambda kind: kind.name)
def test_a_return_direct_tool_that_fails_goes_back_to_the_model_and_a_success_ends(way: Any, kind: Kind) -> None:
    script = [call("fetch_status", order_id="lost"), call("fetch_status", order_id="A17"), "never said"]
    agent, model = kind.build(script, [fetch_status], handle_tool_errors=True)
    failed, fetched = answers(way.invoke(agent, GO))
    assert (failed.status, fetched.content) == ("error", "order A17: shipped")
    assert len(model.calls) == 2


@both_ways
@each_state
def test_return_direct_with_a_command_ends_the_run_and_writes_the_state(way: Any, kind: Kind) -> None:
    agent, model = kind.build(
        [call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state
    )
    result = way.invoke(agent, GO)
    assert result["last_order_status"] == "order A17: shipped"
    assert [m.content for m in result["messages"]] == ["go", "", "order A17: shipped"]
    assert len(model.calls) == 1


@both_ways
@each_state
def test_what_it_wrote_is_there_in_the_next_turn_after_a_restart(way: Any, kind: Kind, tmp_path: Path) -> None:
    script = [call("fetch_and_store", order_id="A17"), call("last_status"), "It was shipped."]

    def build(saver: Any) -> Any:
        return kind.build(script, [fetch_and_store, last_status], state_schema=kind.state, checkpointer=saver)[0]

    way.invoke_stored(tmp_path / "t.sqlite", build, GO, THREAD)
    result = way.invoke_stored(tmp_path / "t.sqlite", build, {"messages": [("user", "what was it?")]}, THREAD)
    assert [m.content for m in result["messages"]] == [
        "go",
        "",
        "order A17: shipped",
        "what was it?",
        "",
        "remembered order A17: shipped",
        "It was shipped.",
    ]
    assert result["last_order_status"] == "order A17: shipped"


@both_ways
@each_state
def test_what_it_wrote_is_seen_by_a_parent_graph(way: Any, kind: Kind) -> None:
    agent, _ = kind.build([call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state)

    class Parent(MessagesState):
        last_order_status: str
        mail: str

    builder = StateGraph(Parent)
    builder.add_node("agent", agent)
    builder.add_node("mail", lambda state: {"mail": f"Dear customer, {state['last_order_status']}"})
    builder.add_edge(START, "agent")
    builder.add_edge("agent", "mail")
    result = way.invoke(builder.compile(), GO)
    assert result["mail"] == "Dear customer, order A17: shipped"
    assert result["messages"][-1].content == "order A17: shipped"


@both_ways
@each_state
def test_what_it_wrote_is_seen_in_the_updates_and_the_values(way: Any, kind: Kind) -> None:
    agent, _ = kind.build([call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state)
    chunks = way.stream(agent, GO, stream_mode=["updates", "values"])
    updates = [chunk for mode, chunk in chunks if mode == "updates"]
    assert [list(update) for update in updates] == [[kind.model_node], ["tools"]]
    assert updates[1]["tools"]["last_order_status"] == "order A17: shipped"
    assert updates[1]["tools"]["messages"][0].content == "order A17: shipped"
    values = [chunk for mode, chunk in chunks if mode == "values"]
    assert values[-1]["last_order_status"] == "order A17: shipped"


# --- state and memory ---


@both_ways
@each_state
def test_the_fields_of_a_custom_state_go_in_through_the_input_and_come_out(way: Any, kind: Kind) -> None:
    agent, _ = kind.build(["hi"], [get_weather], state_schema=kind.state)
    result = way.invoke(agent, {**GO, "current_step": "triage", "visited": ["start"]})
    assert result["current_step"] == "triage"
    assert result["visited"] == ["start"]
    assert [m.content for m in result["messages"]] == ["go", "hi"]


MY_NAME = {"messages": [("user", "I am Ming")]}
WHO = {"messages": [("user", "who am I?")]}


@both_ways
@each_agent
def test_without_a_checkpointer_the_second_turn_knows_nothing_of_the_first(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hello"], [get_weather])
    way.invoke(agent, MY_NAME)
    way.invoke(agent, WHO)
    assert [m.content for m in model.calls[1].messages] == ["who am I?"]


@both_ways
@each_agent
def test_with_a_checkpointer_a_thread_is_remembered_and_another_is_not(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hello", "You are Ming."], [get_weather], checkpointer=InMemorySaver())
    way.invoke(agent, MY_NAME, THREAD)
    assert way.invoke(agent, WHO, THREAD)["messages"][-1].content == "You are Ming."
    assert [m.content for m in model.calls[1].messages] == ["I am Ming", "hello", "who am I?"]
    way.invoke(agent, WHO, {"configurable": {"thread_id": "other"}})
    assert [m.content for m in model.calls[2].messages] == ["who am I?"]


@both_ways
@each_agent
def test_with_sqlite_a_thread_is_remembered_by_the_next_process(way: Any, kind: Kind, tmp_path: Path) -> None:
    models = []

    def build(saver: Any) -> Any:
        script = [call("get_weather", city="a"), "hello", "You are Ming."]
        agent, model = kind.build(script, [get_weather], checkpointer=saver)
        models.append(model)
        return agent

    way.invoke_stored(tmp_path / "t.sqlite", build, MY_NAME, THREAD)
    result = way.invoke_stored(tmp_path / "t.sqlite", build, WHO, THREAD)
    assert result["messages"][-1].content == "You are Ming."
    assert [m.content for m in models[1].calls[0].messages] == ["I am Ming", "", "a: 晴天, 25°C", "hello", "who am I?"]


@both_ways
@each_agent
def test_a_bare_string_as_messages_is_the_users_message(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hi"], [get_weather])
    way.invoke(agent, {"messages": "I am Ming"})
    [message] = model.calls[0].messages
    assert isinstance(message, HumanMessage)
    assert message.content == "I am Ming"
