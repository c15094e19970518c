"""ToolNode and tools_condition: in a graph as upstream's, in a plain script, and where upstream fails."""

from __future__ import annotations

import operator
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from langgraph.prebuilt.tool_node import tools_condition as upstream_tools_condition
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, Send
from pydantic import BaseModel, Field, model_validator
from typing_extensions import TypedDict

from agentkit.prebuilt import (
    InjectedState,
    InjectedStore,
    ToolNode,
    ToolRuntime,
    chat_agent_executor,
    create_react_agent,
    tools_condition,
)
from agentkit.testing import ScriptedChatModel, assert_parity, call
from agentkit.tools import InjectedToolCallId, tool
from tests.legacy import needs_upstream, upstream_react_agent
from tests.ways import Async, both_ways


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def aadd(a: int, b: int) -> int:
    """Add two numbers, asynchronously only."""
    return a + b


def asks(*calls: Any) -> AIMessage:
    """An AI message that makes the calls, numbered 1, 2, ... where they have no id."""
    return AIMessage("", tool_calls=[{**c, "id": c["id"] or str(n)} for n, c in enumerate(calls, 1)])


def answer(content: str, name: str, id: str = "1", **more: Any) -> ToolMessage:
    return ToolMessage(content, name=name, tool_call_id=id, **more)


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


class OnlyX(BaseModel):
    x: int


@tool(args_schema=OnlyX)
def with_state(x: int, state: Annotated[dict, InjectedState]) -> str:
    """Use the state."""
    return f"{x} {state['user']}"


@tool(args_schema=OnlyX)
def with_field(x: int, user: Annotated[str, InjectedState("user")]) -> str:
    """Use a field."""
    return f"{x} {user}"


@tool(args_schema=OnlyX)
def with_store(x: int, store: Annotated[BaseStore, InjectedStore()]) -> str:
    """Use the store."""
    return f"{x} {store.get(('p',), 'user').value['v']}"


@tool(args_schema=OnlyX)
def with_runtime(x: int, runtime: ToolRuntime) -> str:
    """Use the runtime."""
    return f"{x} {runtime.state['user']}"


@tool(args_schema=OnlyX)
def with_call_id(x: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
    """Use the call's id."""
    return f"{x} {tool_call_id}"


class UserState(MessagesState):
    user: str


def graph_of(node: Any, state: type = UserState, store: Any = None) -> Any:
    builder = StateGraph(state)
    builder.add_node("tools", node)
    builder.add_edge(START, "tools")
    return builder.compile(store=store)


@both_ways
@pytest.mark.parametrize("injected", [with_state, with_field, with_store, with_runtime, with_call_id])
def test_a_parameter_that_args_schema_leaves_out_is_injected_and_hidden_from_the_model(way: Any, injected: Any) -> None:
    store = InMemoryStore()
    store.put(("p",), "user", {"v": "ann"})
    state = {"messages": [asks(call(injected.name, x=1))], "user": "ann"}
    result = way.invoke(graph_of(ToolNode([injected]), store=store), state)
    assert result["messages"][-1].content == ("1 1" if injected is with_call_id else "1 ann")
    assert list(injected.tool_call_schema.model_json_schema()["properties"]) == ["x"]


@both_ways
def test_the_model_cannot_forge_an_injected_argument(way: Any) -> None:
    state = {"messages": [asks(call("with_field", x=1, user="eve"))], "user": "ann"}
    assert way.invoke(ToolNode([with_field]), state)["messages"][0].content == "1 ann"


# --- errors ---


class CustomError(Exception):
    pass


def fail(kind: str, number: int = 0) -> str:
    """Fail in the given way."""
    errors = {"value": ValueError, "type": TypeError, "custom": CustomError, "tool": ToolException}
    if kind in errors:
        raise errors[kind](f"a {kind} error")
    return "fine"


def on_value_error(error: ValueError) -> str:
    return f"handled: {error}"


def on_two(error: ValueError | TypeError) -> str:
    return f"one of two: {error}"


# Upstream reads a union only where the annotation is not a string, as it is in this file.
on_two.__annotations__["error"] = ValueError | TypeError


def on_any(error):  # no annotation: any exception
    return f"any: {error}"


POLICIES = {
    "True": True,
    "False": False,
    "text": "try again",
    "type": ValueError,
    "tuple": (ValueError, CustomError),
    "function": on_value_error,
    "function of a union": on_two,
    "function of anything": on_any,
}


def outcome(way: Any, node: Any, state: Any) -> Any:
    """The answers, or the exception that was raised."""
    try:
        return way.invoke(graph_of(node, MessagesState), state)["messages"][1:]
    except Exception as error:  # noqa: BLE001 - any exception is a result to compare
        return type(error), str(error)


def without_ids(result: Any) -> Any:
    return [message.model_copy(update={"id": None}) for message in result] if isinstance(result, list) else result


@both_ways
@pytest.mark.parametrize("args", [{"kind": k} for k in ("value", "type", "custom", "tool", "none")] + [{"number": "x"}])
@pytest.mark.parametrize("policy", [*POLICIES, "default"])
def test_each_error_policy_does_what_upstreams_node_does(way: Any, policy: str, args: Any) -> None:
    options = {} if policy == "default" else {"handle_tool_errors": POLICIES[policy]}
    state = {"messages": [asks(call("fail", **args), call("fail", kind="none"))]}
    ours = outcome(way, ToolNode([fail], **options), state)
    assert without_ids(ours) == without_ids(outcome(way, UpstreamToolNode([fail], **options), state))


@both_ways
@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("True", "Error: ValueError('a value error')\n Please fix your mistakes."),
        ("text", "try again"),
        ("type", "Error: ValueError('a value error')\n Please fix your mistakes."),
        ("tuple", "Error: ValueError('a value error')\n Please fix your mistakes."),
        ("function", "handled: a value error"),
        ("function of a union", "one of two: a value error"),
        ("function of anything", "any: a value error"),
    ],
)
def test_a_handled_error_is_an_error_message_with_this_text(way: Any, policy: str, text: str) -> None:
    node = ToolNode([fail], handle_tool_errors=POLICIES[policy])
    [message] = way.invoke(node, {"messages": [asks(call("fail", kind="value"))]})["messages"]
    assert message == answer(text, "fail", status="error")


@both_ways
def test_by_default_wrong_arguments_are_answered_and_what_the_tool_raises_is_raised(way: Any) -> None:
    node = ToolNode([fail])
    [message] = way.invoke(node, {"messages": [asks(call("fail", kind="value", number="x"))]})["messages"]
    assert message.status == "error"
    assert "number: Input should be a valid integer" in message.content
    with pytest.raises(ValueError, match="a value error"):
        way.invoke(node, {"messages": [asks(call("fail", kind="value"))]})


@both_ways
def test_an_exception_outside_the_policy_is_raised(way: Any) -> None:
    for policy in (ValueError, (ValueError, TypeError), on_value_error, on_two, False):
        with pytest.raises(CustomError):
            way.invoke(ToolNode([fail], handle_tool_errors=policy), [call("fail", id="1", kind="custom")])


class Span(BaseModel):
    start: int
    end: int = Field(le=100)

    @model_validator(mode="after")
    def ordered(self) -> Any:
        if self.end < self.start:
            raise ValueError("end lies before start")
        return self


@tool(args_schema=Span)
def cut(start: int, end: int, state: Annotated[dict, InjectedState]) -> str:
    """Cut."""
    return f"{start}-{end}"


@both_ways
@pytest.mark.parametrize("policy", ["default", True, lambda e: str(e)], ids=["default", "True", "function"])
def test_what_a_cross_field_validator_says_reaches_the_model(way: Any, policy: Any) -> None:
    options = {} if policy == "default" else {"handle_tool_errors": policy}
    node = ToolNode([cut], **options)
    [message] = way.invoke(node, {"messages": [asks(call("cut", start=5, end=2))]})["messages"]
    assert message.status == "error"
    assert "end lies before start" in message.content
    [message] = way.invoke(node, {"messages": [asks(call("cut", start=5, end=200))]})["messages"]
    assert "end: Input should be less than or equal to 100" in message.content


@both_ways
def test_a_cross_field_validator_that_fails_does_not_tell_the_model_about_injected_arguments(way: Any) -> None:
    class Checked(BaseModel):
        x: int
        state: Annotated[dict, InjectedState]

        @model_validator(mode="after")
        def small(self) -> Any:
            if self.x > 9:
                raise ValueError("x is too big")
            return self

    @tool(args_schema=Checked)
    def take(x: int, state: dict) -> str:
        """Take x."""
        return str(x)

    state = {"messages": [HumanMessage("a secret"), asks(call("take", x=10))]}
    [message] = way.invoke(ToolNode([take]), state)["messages"]
    assert "x is too big" in message.content
    assert "secret" not in message.content


# --- wrappers and subclasses, in the legacy agent as well ---


@both_ways
def test_wrap_tool_call_runs_around_each_call(way: Any) -> None:
    def double(request: Any, run: Any) -> Any:
        changed = request.override(tool_call={**request.tool_call, "args": {"a": 10, "b": 20}})
        return run(changed)

    assert way.invoke(ToolNode([add], wrap_tool_call=double), [call("add", id="1", a=1, b=2)]) == {
        "messages": [answer("30", "add")]
    }


@both_ways
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_tool_node_given_to_the_agent_keeps_its_policy_wrapper_and_overridden_methods(way: Any, version: Any) -> None:
    seen = []

    class Loud(ToolNode):
        def _combine_tool_outputs(self, outputs: Any, input_type: Any) -> Any:
            for output in outputs:
                output.content = output.content.upper()
            return super()._combine_tool_outputs(outputs, input_type)

    def watch(request: Any, run: Any) -> Any:
        seen.append(request.tool_call["name"])
        return run(request)

    node = Loud([fail], handle_tool_errors="custom text", wrap_tool_call=watch)
    model = ScriptedChatModel(script=[call("fail", kind="value"), "sorry"])
    agent = create_react_agent(model, node, version=version)
    result = way.invoke(agent, {"messages": [("user", "go")]})
    assert [m.content for m in result["messages"]] == ["go", "", "CUSTOM TEXT", "sorry"]
    assert result["messages"][2].status == "error"
    assert seen == ["fail"]


@both_ways
def test_the_agent_runs_a_node_of_upstreams_own_class_as_it_is(way: Any) -> None:
    node = UpstreamToolNode([fail], handle_tool_errors=on_value_error)
    agent = create_react_agent(ScriptedChatModel(script=[call("fail", kind="value"), "sorry"]), node)
    assert way.invoke(agent, {"messages": [("user", "go")]})["messages"][2].content == "handled: a value error"


class Reversed(UpstreamToolNode):
    """A user's own subclass of upstream's class, with a method of its own."""

    def _combine_tool_outputs(self, outputs: Any, input_type: Any) -> Any:
        for output in outputs:
            output.content = output.content[::-1]
        return super()._combine_tool_outputs(outputs, input_type)


def swap_arguments(request: Any, run: Any) -> Any:
    asked = request.tool_call["args"]
    swapped = dict(zip(asked, reversed(asked.values()), strict=True))
    return run(request.override(tool_call={**request.tool_call, "args": swapped}))


async def aswap_arguments(request: Any, run: Any) -> Any:
    return await run(request.override(tool_call={**request.tool_call, "args": {"a": 40, "b": 2}}))


def never_run(request: Any, run: Any) -> Any:
    return ToolMessage("not run", name=request.tool_call["name"], tool_call_id=request.tool_call["id"])


class TwoKeys(chat_agent_executor.AgentState):
    history: Annotated[list[AnyMessage], add_messages]


@needs_upstream
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    "node",
    [
        lambda cls: cls([add, fail], handle_tool_errors="custom text"),
        lambda cls: cls([add, fail], handle_tool_errors=(ValueError,), wrap_tool_call=swap_arguments),
        lambda cls: cls([add, fail], handle_tool_errors=True, awrap_tool_call=aswap_arguments),
        lambda cls: cls([add, fail], wrap_tool_call=never_run),
        lambda cls: cls([add, fail], wrap_tool_call=never_run, awrap_tool_call=aswap_arguments),
        lambda cls: Reversed([add, fail], handle_tool_errors=on_any),
        lambda cls: cls([add, fail], handle_tool_errors=True, messages_key="history"),
        lambda cls: cls([add, fail]),
    ],
    ids=["text", "wrapper", "async wrapper", "short cut", "both wrappers", "subclass", "messages_key", "default"],
)
def test_in_the_agent_a_users_node_does_what_it_does_in_upstreams_agent(node: Any, version: Any) -> None:
    script = [
        [call("add", a=1, b=2), call("add", a=3, b=4)],
        call("fail", kind="value"),
        call("add", a="x", b=1),
        "done",
    ]
    assert_parity(
        lambda model: upstream_react_agent(model, node(UpstreamToolNode), version=version, state_schema=TwoKeys),
        lambda model: create_react_agent(model, node(ToolNode), version=version, state_schema=TwoKeys),
        [{"messages": [("user", "go")]}],
        node_names={},
        model=lambda: ScriptedChatModel(script=script),
    )


# --- Commands ---


class TallyState(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    total: Annotated[int, operator.add]


def note(amount: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Add to the total."""
    return Command(update={"total": amount, "messages": [ToolMessage("noted", tool_call_id=tool_call_id)]})


@both_ways
def test_commands_and_plain_results_of_one_message_come_as_a_list(way: Any) -> None:
    state = {"messages": [asks(call("note", amount=5), call("add", a=1, b=2), call("note", amount=6))]}
    first, plain, second = way.invoke(ToolNode([note, add]), state)
    assert first == Command(update={"total": 5, "messages": [answer("noted", "note")]})
    assert plain == {"messages": [answer("3", "add", "2")]}
    assert second.update["total"] == 6


@both_ways
def test_in_a_graph_the_updates_of_all_commands_are_reduced(way: Any) -> None:
    state = {"messages": [asks(call("note", amount=5), call("add", a=1, b=2), call("note", amount=6))], "total": 100}
    result = way.invoke(graph_of(ToolNode([note, add]), TallyState), state)
    assert result["total"] == 111
    assert [m.content for m in result["messages"][1:]] == ["noted", "3", "noted"]


@both_ways
def test_a_command_in_a_list_of_messages_form(way: Any) -> None:
    def note_list(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
        """Note."""
        return Command(update=[ToolMessage("noted", tool_call_id=tool_call_id)])

    result = way.invoke(ToolNode([note_list, add]), [asks(call("note_list"), call("add", a=1, b=2))])
    assert result == [Command(update=[answer("noted", "note_list")]), [answer("3", "add", "2")]]


@both_ways
@pytest.mark.parametrize("update", [{}, {"messages": []}, {"messages": [ToolMessage("x", tool_call_id="other")]}])
def test_a_command_without_the_answer_to_its_call_is_an_error_that_says_so(way: Any, update: Any) -> None:
    def forget() -> Command:
        """Forget the answer."""
        return Command(update=update)

    with pytest.raises(ValueError, match=r"matching ToolMessage in Command\.update for tool 'forget'"):
        way.invoke(ToolNode([forget]), {"messages": [asks(call("forget"))]})


@both_ways
def test_a_command_that_removes_every_message_or_goes_to_the_parent_needs_no_answer(way: Any) -> None:
    def clear() -> Command:
        """Clear."""
        return Command(update={"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)]})

    def hand_over() -> Command:
        """Hand over."""
        return Command(graph=Command.PARENT, goto=[Send("bob", {"n": 1})])

    result = way.invoke(ToolNode([clear, hand_over]), {"messages": [asks(call("clear"), call("hand_over"))]})
    assert [type(item) for item in result] == [Command, Command]
    assert result[1].goto == [Send("bob", {"n": 1})]


@both_ways
def test_parallel_hand_overs_to_the_parent_become_one_command(way: Any) -> None:
    def hand_over(to: str) -> Command:
        """Hand over."""
        return Command(graph=Command.PARENT, goto=[Send(to, {})])

    state = {"messages": [asks(call("hand_over", to="bob"), call("hand_over", to="eve"))]}
    [command] = way.invoke(ToolNode([hand_over]), state)
    assert command.goto == [Send("bob", {}), Send("eve", {})]


@both_ways
def test_a_command_can_say_where_the_graph_goes_on(way: Any) -> None:
    def jump(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
        """Jump."""
        return Command(goto="last", update={"messages": [ToolMessage("jumped", tool_call_id=tool_call_id)]})

    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode([jump]))
    builder.add_node("last", lambda state: {"messages": [AIMessage("landed")]})
    builder.add_edge(START, "tools")
    result = way.invoke(builder.compile(), {"messages": [asks(call("jump"))]})
    assert [m.content for m in result["messages"][1:]] == ["jumped", "landed"]


# --- in a graph, against upstream's node ---


@pytest.mark.parametrize(
    "calls",
    [
        [call("add", a=1, b=2)],
        [call("add", a=1, b=2), call("add", a=3, b=4)],
        [call("nobody"), call("add", a=1, b=2)],
        [call("add", a="x", b=2)],
        [call("with_state", x=1), call("with_field", x=2), call("with_runtime", x=3), call("with_call_id", x=4)],
        [call("fail", kind="value")],
        [call("note", amount=1), call("note", amount=2), call("add", a=1, b=2)],
        [call("parent")],
    ],
)
def test_in_a_graph_it_is_upstreams_node_in_every_stream_mode(calls: Any) -> None:
    def parent(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
        """Return no answer."""
        return Command(update={})

    class State(TallyState):
        user: str

    def build(node_class: Any) -> Any:
        def make(model: Any) -> Any:
            tools = [add, note, fail, with_state, with_field, with_runtime, with_call_id, parent]
            builder = StateGraph(State)
            builder.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
            builder.add_node("tools", node_class(tools))
            builder.add_edge(START, "model")
            builder.add_conditional_edges("model", tools_condition)
            builder.add_edge("tools", "model")
            return builder.compile()

        return make

    assert_parity(
        build(UpstreamToolNode),
        build(ToolNode),
        [{"messages": [("user", "go")], "user": "ann"}],
        model=lambda: ScriptedChatModel(script=[calls, "done"]),
        modes=("values", "updates", "messages", "custom"),
    )


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
