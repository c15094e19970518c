"""ToolNode: errors, wrappers and Commands, in a plain script, in a graph and in the agent, beside upstream's."""

from __future__ import annotations

import operator
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from langgraph.types import Command, Send
from pydantic import BaseModel, Field, model_validator
from typing_extensions import TypedDict

from agentkit.prebuilt import (
    InjectedState,
    ToolNode,
    chat_agent_executor,
    create_react_agent,
    tools_condition,
)
from agentkit.testing import ScriptedChatModel, assert_parity, call
from agentkit.tools import InjectedToolCallId, tool
from tests.legacy import needs_upstream, upstream_react_agent
from tests.tool_parts import (
    CustomError,
    add,
    answer,
    asks,
    fail,
    graph_of,
    with_call_id,
    with_field,
    with_runtime,
    with_state,
)
from tests.ways import both_ways

# --- errors ---


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
