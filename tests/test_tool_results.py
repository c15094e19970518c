"""What tools and wrappers may return, and that nothing of the user's blocks the event loop."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from typing import Annotated, Any

import pytest
from langchain.agents.middleware import AgentMiddleware, before_model, wrap_tool_call
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from agentkit.agents import create_agent
from agentkit.prebuilt import ToolNode, create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedToolCallId, tool
from tests.agent_kinds import GO, LEGACY, answers, each_agent
from tests.tool_parts import add
from tests.ways import both_ways

Id = Annotated[str, InjectedToolCallId]


@tool
def saves(form: str, id: Id) -> Any:
    """Save."""
    message = {"role": "tool", "content": "saved", "tool_call_id": id}
    forms = {
        "dict": Command(update={"messages": [message]}),
        "dict in a list": [Command(update={"messages": [message]})],
        "pairs": Command(update=[("messages", [message])]),
        "pairs in a list": [Command(update=[("messages", [message])])],
        "message and command": [ToolMessage("saved", tool_call_id=id), Command(update={"messages": []})],
    }
    return forms[form]


@both_ways
@each_agent
@pytest.mark.parametrize("form", ["dict", "dict in a list", "pairs", "pairs in a list", "message and command"])
def test_a_command_is_taken_in_each_form_alone_and_in_a_list(kind: Any, way: Any, form: str) -> None:
    agent, _ = kind.build([call("saves", form=form), "ok"], [saves])
    (answer,) = answers(way.invoke(agent, GO))
    assert (answer.content, answer.tool_call_id) == ("saved", "call_0_0")


@both_ways
def test_a_list_of_messages_is_taken_where_the_node_was_given_one(way: Any) -> None:
    @tool
    def saves(id: Id) -> Any:
        """Save."""
        return [Command(update=[ToolMessage("saved", tool_call_id=id)])]

    asked = AIMessage("", tool_calls=[call("saves", id="1")])
    (command,) = way.invoke(ToolNode([saves]), [asked])
    assert [message.content for message in command.update] == ["saved"]


@pytest.mark.parametrize("items", [[], [1], ["none"], ["twice"]])
def test_a_list_without_exactly_one_answer_is_refused(items: list[Any]) -> None:
    @tool
    def odd(id: Id) -> Any:
        """Odd."""
        forms = {"none": [Command(update={"messages": []})], "twice": [ToolMessage("a", tool_call_id=id)] * 2}
        return forms.get(items[0], items) if items else [Command(update={"x": 1})]

    node = ToolNode([odd])
    if items == [1]:  # langchain-core makes text of what is no message
        assert node.invoke([call("odd", id="1")])["messages"][0].content == "[1]"
        return
    with pytest.raises(ValueError, match="expected exactly one terminating ToolMessage"):
        node.invoke([call("odd", id="1")])


@wrap_tool_call
def forgets(request: Any, handler: Any) -> Any:
    handler(request)


@wrap_tool_call
def says_no(request: Any, handler: Any) -> Any:
    return "no"


class Awaits(AgentMiddleware):
    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return [await handler(request), None]


@each_agent
@pytest.mark.parametrize("policy", [None, True])
@pytest.mark.parametrize(
    ("wrapper", "given"), [(forgets, "None. .* forget `return handler"), (says_no, "str: 'no'")], ids=["none", "text"]
)
def test_a_wrapper_that_returns_no_answer_is_named(kind: Any, policy: Any, wrapper: Any, given: str) -> None:
    agent, _ = kind.build([call("add", a=1, b=2), "ok"], [add], middleware=[wrapper], handle_tool_errors=policy)
    with pytest.raises(TypeError, match=rf"\({wrapper.name}.wrap_tool_call\) returned {given}"):
        agent.invoke(GO)


@each_agent
async def test_an_async_wrapper_that_returns_no_answer_is_named(kind: Any) -> None:
    agent, _ = kind.build([call("add", a=1, b=2), "ok"], [add], middleware=[Awaits()])
    with pytest.raises(TypeError, match=r"\(Awaits.wrap_tool_call\) returned list"):
        await agent.ainvoke(GO)


@both_ways
def test_a_nodes_own_wrapper_is_named(way: Any) -> None:
    def broken(request: Any, execute: Any) -> Any:
        return None

    with pytest.raises(TypeError, match="broken"):
        way.invoke(ToolNode([add], wrap_tool_call=broken), [call("add", id="1", a=1, b=2)])


# --- the event loop ---

LOOP_THREAD: contextvars.ContextVar[int] = contextvars.ContextVar("loop_thread")
VALUE: contextvars.ContextVar[str] = contextvars.ContextVar("value", default="unset")


def off_the_loop() -> str:
    """Tell that this is not the event loop's thread, and that its context came along."""
    assert threading.get_ident() != LOOP_THREAD.get()
    return VALUE.get()


def reads(x: str) -> str:
    """Read the context."""
    return f"{x} {off_the_loop()}"


async def reads_async(x: str) -> str:
    """Read the context."""
    return f"{x} {VALUE.get()}"


async def as_caller(coroutine_of: Any) -> Any:
    LOOP_THREAD.set(threading.get_ident())
    VALUE.set("mine")
    return await coroutine_of()


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("function", [reads, reads_async], ids=["sync", "async"])
async def test_a_sync_wrapper_runs_off_the_loop_side_by_side_with_its_context(version: str, function: Any) -> None:
    both = threading.Barrier(2, timeout=20)

    def wrap(request: Any, execute: Any) -> Any:
        off_the_loop()
        both.wait()
        return execute(request)

    calls = [call(function.__name__, x="a"), call(function.__name__, x="b")]
    agent = create_react_agent(
        ScriptedChatModel(script=[calls, "end"]), ToolNode([function], wrap_tool_call=wrap), version=version
    )
    result = await as_caller(lambda: agent.ainvoke(GO))
    assert [message.content for message in answers(result)] == ["a mine", "b mine"]


async def test_a_cancelled_run_cancels_what_a_sync_wrapper_waits_for() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def waits() -> str:
        """Wait."""
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.set()
            raise
        return "never"

    node = ToolNode([waits], wrap_tool_call=lambda request, execute: execute(request))
    task = asyncio.ensure_future(node.ainvoke([call("waits", id="1")]))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(ended.wait(), 30)


async def test_prompt_hooks_and_model_function_run_off_the_loop() -> None:
    seen: list[str] = []
    model = ScriptedChatModel(script=["end"])

    def noting(name: str, value: Any) -> Any:
        def note(state: Any, *_: Any) -> Any:
            assert off_the_loop() == "mine"
            seen.append(name)
            return value(state)

        return note

    @before_model
    def hook(state: Any, runtime: Any) -> None:
        noting("before_model", lambda _: None)(state)

    agent = create_react_agent(
        lambda state, runtime: noting("model", lambda _: model)(state),
        [],
        prompt=noting("prompt", lambda state: state["messages"]),
        pre_model_hook=noting("pre", lambda state: {}),
        post_model_hook=noting("post", lambda state: {}),
        middleware=[hook],
    )
    await as_caller(lambda: agent.ainvoke(GO))
    assert sorted(seen) == ["before_model", "model", "post", "pre", "prompt"]
    seen.clear()
    await as_caller(lambda: create_agent(model, [], middleware=[hook]).ainvoke(GO))
    assert seen == ["before_model"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a task tells that it is being cancelled since Python 3.11")
@each_agent
async def test_a_cancellation_inside_a_tool_is_an_error_like_any_other(kind: Any) -> None:
    async def fetch(x: str) -> str:
        """Fetch."""
        inner = asyncio.ensure_future(asyncio.sleep(5))
        inner.cancel()
        await inner
        return x

    agent, _ = kind.build([call("fetch", x="a"), "sorry"], [fetch], handle_tool_errors=True)
    result = await agent.ainvoke(GO)
    (answer,) = answers(result)
    assert (answer.status, result["messages"][-1].content) == ("error", "sorry")
    assert "tool 'fetch' waited for was cancelled" in str(answer.content)


# --- commands for the parent graph ---


@both_ways
@pytest.mark.parametrize("kind", LEGACY, ids=lambda kind: kind.name)
@pytest.mark.parametrize("handed", [("next", "next"), ("next", "last"), ((), ())])
def test_parallel_calls_that_command_the_parent_graph_all_arrive(kind: Any, way: Any, handed: Any) -> None:
    @tool
    def hand(to: str, note: str, id: Id) -> Any:
        """Hand over."""
        update = {"messages": [ToolMessage(note, tool_call_id=id, id=note)], "active": "b"}
        return Command(graph=Command.PARENT, update=update, goto=to or ())

    class State(MessagesState):
        active: str

    calls = [call("hand", to=to or "", note=str(n)) for n, to in enumerate(handed)]
    agent, _ = kind.build([calls, "end"], [hand])
    seen: list[str] = []
    builder = StateGraph(State)
    builder.add_node("inner", agent, destinations=("next", "last"))
    builder.add_node("next", lambda state: seen.append("next"))
    builder.add_node("last", lambda state: seen.append("last"))
    builder.add_edge(START, "inner")
    result = way.invoke(builder.compile(), GO)
    assert {message.content for message in answers(result)} == {"0", "1"}
    assert result["active"] == "b"
    assert sorted(seen) == sorted({to for to in handed if to})


def test_two_different_values_for_one_field_of_the_parent_are_an_error_as_from_two_nodes() -> None:
    @tool
    def hand(to: str, id: Id) -> Any:
        """Hand over."""
        update = {"messages": [ToolMessage("ok", tool_call_id=id)], "active": to}
        return Command(graph=Command.PARENT, update=update)

    class State(MessagesState):
        active: str

    agent = create_react_agent(ScriptedChatModel(script=[[call("hand", to="a"), call("hand", to="b")]]), [hand])
    builder = StateGraph(State)
    builder.add_node("inner", agent)
    builder.add_edge(START, "inner")
    with pytest.raises(Exception, match="active"):
        builder.compile().invoke(GO)
