"""ToolNode and tools_condition: what goes in, what is injected, and where the condition leads."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from langgraph.prebuilt.tool_node import tools_condition as upstream_tools_condition
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from pydantic import BaseModel

from agentkit.prebuilt import (
    InjectedState,
    InjectedStore,
    ToolNode,
    ToolRuntime,
    tools_condition,
)
from agentkit.testing import call
from agentkit.tools import tool
from tests.tool_parts import (
    add,
    answer,
    asks,
    graph_of,
    with_call_id,
    with_field,
    with_own_call_id,
    with_runtime,
    with_state,
    with_store,
)
from tests.ways import Async, both_ways


@tool
async def aadd(a: int, b: int) -> int:
    """Add two numbers, asynchronously only."""
    return a + b


# --- the three forms of input, in a plain script ---


@both_ways
def test_a_state_gives_a_dict_of_answers_in_the_order_of_the_calls(way: Any) -> None:
    state = {"messages": [HumanMessage("?"), asks(call("add", a=1, b=2), call("add", a=3, b=4))], "other": 1}
    assert way.invoke(ToolNode([add]), state) == {"messages": [answer("3", "add"), answer("7", "add", "2")]}


@both_ways
def test_a_list_of_messages_gives_a_list(way: Any) -> None:
    assert way.invoke(ToolNode([add]), [HumanMessage("?"), asks(call("add", a=1, b=2))]) == [answer("3", "add")]


@both_ways
def test_direct_calls_run_without_a_message_around_them(way: Any) -> None:
    direct = [{"name": "add", "args": {"a": 1, "b": 2}, "id": "1", "type": "tool_call"}, call("add", id="2", a=3, b=4)]
    assert way.invoke(ToolNode([add]), direct) == {"messages": [answer("3", "add"), answer("7", "add", "2")]}


class PydanticState(BaseModel):
    messages: list[AnyMessage]
    user: str = "ann"


@dataclass
class DataclassState:
    messages: list[AnyMessage] = field(default_factory=list)
    user: str = "ann"


@both_ways
@pytest.mark.parametrize("state", [PydanticState, DataclassState])
def test_a_state_that_is_an_object_works_too(way: Any, state: Any) -> None:
    def greet(user: Annotated[str, InjectedState("user")], whole: Annotated[Any, InjectedState]) -> str:
        """Greet."""
        return f"{user} {type(whole).__name__}"

    result = way.invoke(ToolNode([greet]), state(messages=[asks(call("greet"))]))
    assert result == {"messages": [answer(f"ann {state.__name__}", "greet")]}


@both_ways
def test_messages_key_names_where_messages_are_read_and_written(way: Any) -> None:
    node = ToolNode([add], messages_key="history")
    assert way.invoke(node, {"history": [asks(call("add", a=1, b=2))]}) == {"history": [answer("3", "add")]}


@both_ways
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"messages": []}, "No message found in input"),
        ({"other": [1]}, "No message found in input"),
        ({"messages": [HumanMessage("?")]}, "No AIMessage found in input"),
        ([HumanMessage("?")], "No AIMessage found in input"),
    ],
)
def test_input_without_an_ai_message_is_refused(way: Any, bad: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        way.invoke(ToolNode([add]), bad)


@both_ways
def test_a_message_without_calls_runs_nothing(way: Any) -> None:
    assert way.invoke(ToolNode([add]), {"messages": [AIMessage("hi")]}) == {"messages": []}


@both_ways
def test_an_unknown_tool_is_answered_with_the_names_that_exist_and_the_others_run(way: Any) -> None:
    state = {"messages": [asks(call("subtract", a=1), call("add", a=1, b=2))]}
    unknown, known = way.invoke(ToolNode([add]), state)["messages"]
    assert (unknown.status, unknown.name, unknown.tool_call_id) == ("error", "subtract", "1")
    assert "subtract is not a valid tool" in unknown.content
    assert "[add]" in unknown.content
    assert known == answer("3", "add", "2")


def test_a_tool_that_is_only_async_runs_in_an_async_run_and_says_so_in_a_sync_one() -> None:
    direct = [call("aadd", id="1", a=1, b=2)]
    assert Async.invoke(ToolNode([aadd]), direct) == {"messages": [answer("3", "aadd")]}
    with pytest.raises(NotImplementedError, match="sync"):
        ToolNode([aadd]).invoke(direct)


def test_the_node_is_upstreams_in_every_isinstance_check() -> None:
    node = ToolNode([add], name="hands", tags=["t"])
    assert isinstance(node, UpstreamToolNode)
    assert (node.name, node.tags, list(node.tools_by_name)) == ("hands", ["t"], ["add"])
    assert ToolNode([add]).name == "tools"


# --- injection in a plain script ---


@both_ways
@pytest.mark.parametrize("form", ["dict", "list", "direct"])
def test_outside_a_graph_a_tool_gets_the_state_that_was_passed_in(way: Any, form: str) -> None:
    def count(state: Annotated[dict, InjectedState]) -> str:
        """Count the messages."""
        return str(len(state.get("messages", [])))

    given = {
        "dict": {"messages": [HumanMessage("?"), asks(call("count"))]},
        "list": [HumanMessage("?"), asks(call("count"))],
        "direct": [call("count", id="1")],
    }[form]
    result = way.invoke(ToolNode([count]), given)
    [message] = result if form == "list" else result["messages"]
    assert message.content == ("0" if form == "direct" else "2")  # direct calls come without any state


@both_ways
def test_outside_a_graph_the_tool_runtime_holds_state_config_and_call_id(way: Any) -> None:
    def look(runtime: ToolRuntime) -> str:
        """Look."""
        runtime.stream_writer("nobody listens")
        tags = ",".join(runtime.config["tags"])
        return f"{runtime.state['user']} {runtime.tool_call_id} {tags} {runtime.context} {runtime.store}"

    state = {"messages": [asks(call("look"))], "user": "ann"}
    [message] = way.invoke(ToolNode([look]), state, {"tags": ["mine"]})["messages"]
    assert message.content == "ann 1 mine None None"


@both_ways
def test_outside_a_graph_a_tool_that_needs_a_store_says_that_there_is_none(way: Any) -> None:
    def remember(store: Annotated[BaseStore, InjectedStore()]) -> str:
        """Remember."""
        return "unreachable"

    with pytest.raises(ValueError, match="Cannot inject store"):
        way.invoke(ToolNode([remember]), [call("remember", id="1")])


@both_ways
def test_a_runtime_that_the_caller_puts_in_the_config_is_used(way: Any) -> None:
    def recall(store: Annotated[BaseStore, InjectedStore()]) -> str:
        """Recall."""
        return store.get(("p",), "k").value["v"]

    store = InMemoryStore()
    store.put(("p",), "k", {"v": "blue"})
    config = {"configurable": {"__pregel_runtime": Runtime(store=store)}}
    assert way.invoke(ToolNode([recall]), [call("recall", id="1")], config) == {"messages": [answer("blue", "recall")]}


@both_ways
def test_inside_a_node_and_called_without_a_config_it_uses_the_graphs_runtime(way: Any) -> None:
    if way is Async and sys.version_info < (3, 11):
        pytest.skip("before Python 3.11 an async node must pass its config on; nothing can see the parent's")

    def recall(runtime: ToolRuntime[dict, Any], store: Annotated[BaseStore, InjectedStore()]) -> str:
        """Recall."""
        return f"{runtime.context['user']} likes {store.get(('p',), 'color').value['v']}"

    inner = ToolNode([recall])

    def node(state: MessagesState) -> Any:
        return inner.invoke(state)

    async def anode(state: MessagesState) -> Any:
        return await inner.ainvoke(state)

    store = InMemoryStore()
    store.put(("p",), "color", {"v": "blue"})
    builder = StateGraph(MessagesState, context_schema=dict)
    builder.add_node("node", anode if way is Async else node)
    builder.add_edge(START, "node")
    graph = builder.compile(store=store)
    result = way.invoke(graph, {"messages": [asks(call("recall"))]}, context={"user": "ann"})
    assert result["messages"][-1].content == "ann likes blue"


@both_ways
@pytest.mark.parametrize("injected", [with_state, with_field, with_store, with_runtime, with_call_id, with_own_call_id])
def test_a_parameter_that_args_schema_leaves_out_is_injected_and_hidden_from_the_model(way: Any, injected: Any) -> None:
    store = InMemoryStore()
    store.put(("p",), "user", {"v": "ann"})
    state = {"messages": [asks(call(injected.name, x=1))], "user": "ann"}
    result = way.invoke(graph_of(ToolNode([injected]), store=store), state)
    assert result["messages"][-1].content == ("1 1" if "call_id" in injected.name else "1 ann")
    assert list(injected.tool_call_schema.model_json_schema()["properties"]) == ["x"]


@both_ways
def test_the_model_cannot_forge_an_injected_argument(way: Any) -> None:
    state = {"messages": [asks(call("with_field", x=1, user="eve"))], "user": "ann"}
    assert way.invoke(ToolNode([with_field]), state)["messages"][0].content == "1 ann"
    state = {"messages": [asks(call("with_own_call_id", x=1, mine="forged"))]}
    assert way.invoke(ToolNode([with_own_call_id]), state)["messages"][0].content == "1 1"


# --- tools_condition ---

CALLS = AIMessage("", tool_calls=[{"name": "add", "args": {}, "id": "1"}])


@pytest.mark.parametrize("make", [lambda m: m, lambda m: {"messages": m}, lambda m: PydanticState(messages=m)])
def test_tools_condition_looks_at_the_last_message_of_any_state(make: Any) -> None:
    assert tools_condition(make([HumanMessage("?"), CALLS])) == "tools"
    assert tools_condition(make([CALLS, AIMessage("done")])) == END
    assert tools_condition(make([CALLS, HumanMessage("?")])) == END
    for messages in ([CALLS], [AIMessage("x")]):
        assert tools_condition(make(messages)) == upstream_tools_condition(make(messages))


def test_tools_condition_takes_another_key() -> None:
    assert tools_condition({"chat_history": [CALLS]}, messages_key="chat_history") == "tools"
    assert tools_condition({"chat_history": [AIMessage("x")]}, messages_key="chat_history") == END


@pytest.mark.parametrize("empty", [[], {"messages": []}, {}, {"messages": None}, PydanticState(messages=[])])
def test_tools_condition_without_a_message_is_one_clear_error(empty: Any) -> None:
    with pytest.raises(ValueError, match=r"No messages found in input state.*'messages'.*messages_key="):
        tools_condition(empty)


def test_a_path_map_without_tools_is_an_error_that_names_the_missing_key() -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": [CALLS]})
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition, {END: END})
    with pytest.raises(KeyError, match="tools"):
        builder.compile().invoke({"messages": [("user", "go")]})
