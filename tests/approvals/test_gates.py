"""What `interrupt_on=` accepts, and which calls it makes wait."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware as StockMiddleware
from langgraph.checkpoint.memory import InMemorySaver

from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import ScriptedChatModel, call

from .conftest import Bench, Tools, build, results

APPROVE = {"decisions": [{"type": "approve"}]}


def test_a_gate_for_a_tool_that_does_not_exist_is_refused_with_the_nearest_name(kind: str) -> None:
    with pytest.raises(ValueError, match=r"'dlete_file'.*Did you mean 'delete_file'.*'look'"):
        build(kind, ScriptedChatModel(), Tools().all, interrupt_on={"dlete_file": True}, checkpointer=InMemorySaver())


def test_a_pattern_that_covers_no_tool_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=r"'remove_\*'"):
        build(kind, ScriptedChatModel(), Tools().all, interrupt_on={"remove_*": True}, checkpointer=InMemorySaver())


def test_the_middleware_alone_refuses_an_unknown_tool_when_it_is_told_the_tools() -> None:
    with pytest.raises(ValueError, match=r"'sned'.*Did you mean 'send'"):
        HumanInTheLoopMiddleware({"sned": True}, tools=Tools().all)


def test_the_middleware_alone_refuses_an_unknown_tool_before_the_model_is_called() -> None:
    model = ScriptedChatModel(script=["never"])
    agent = langchain_create_agent(
        model, Tools().all, middleware=[HumanInTheLoopMiddleware({"sned": True})], checkpointer=InMemorySaver()
    )
    with pytest.raises(ValueError, match=r"'sned'.*Did you mean 'send'"):
        agent.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": "t"}})
    assert model.calls == []


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"allowed_decisions": ["aprove"]}, "'aprove', which is no decision. Did you mean 'approve'"),
        ({"allowed_decisions": []}, "not empty"),
        ({}, "not empty"),
        ({"description": "x"}, "not empty"),
        ({"allow_accept": True}, "no key 'allow_accept'"),
        ({"allowed_decisions": "approve"}, "must be a list"),
        ({"allowed_decisions": ["approve"], "when": "always"}, "'when' must be a plain function"),
        ({"allowed_decisions": ["approve"], "description": 3}, "'description' must be"),
        ("yes", "must be True, False or a config"),
        (None, "must be True, False or a config"),
    ],
)
def test_a_config_that_would_gate_nothing_is_refused(kind: str, entry: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(kind, ScriptedChatModel(), Tools().all, interrupt_on={"send": entry}, checkpointer=InMemorySaver())


def test_an_async_when_is_refused() -> None:
    async def when(request: Any) -> bool:
        return False

    with pytest.raises(ValueError, match="plain function"):
        HumanInTheLoopMiddleware({"send": {"allowed_decisions": ["approve"], "when": when}})


@pytest.mark.parametrize(("argument", "value"), [("interrupt_mode", "per-call"), ("schema", "legacy")])
def test_an_unknown_mode_or_schema_is_refused(argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{argument} must be"):
        HumanInTheLoopMiddleware({}, **{argument: value})


@pytest.mark.parametrize("verdict", [None, 0, "", [], 1, "no", True])
async def test_a_when_that_returns_anything_but_false_pauses(simple: Bench, verdict: Any) -> None:
    gates = {"send": {"allowed_decisions": ["approve"], "when": lambda request: verdict}}
    agent = simple.agent([call("send", x=1), "end"], interrupt_on=gates)
    await simple.invoke(agent)
    assert [action.tool for action in await simple.pending(agent)] == ["send"]
    assert simple.ran == []


async def test_a_when_that_returns_false_lets_the_call_run(bench: Bench) -> None:
    seen: list[Any] = []

    def when(request: Any) -> bool:
        seen.append((request.tool_call["args"], request.state["messages"][0].content, request.runtime.tool_call_id))
        return bool(request.tool_call["args"]["x"] > 1)

    gates = {"send": {"allowed_decisions": ["approve"], "when": when}}
    agent = bench.agent([[call("send", "c1", x=1), call("send", "c2", x=2)], "end"], interrupt_on=gates)
    await bench.invoke(agent)
    assert [action.tool_call_id for action in await bench.pending(agent)] == ["c2"]
    assert seen[:2] == [({"x": 1}, "go", "c1"), ({"x": 2}, "go", "c2")]
    agent = await bench.restart()
    await bench.answer(agent, APPROVE)
    assert sorted(bench.ran) == [("send", 1), ("send", 2)]


async def test_the_verdict_of_a_when_holds_although_it_would_be_another_on_resume(bench: Bench) -> None:
    turns = {"c1": iter([True, False, False]), "c2": iter([False, True, True])}
    gates = {
        "send": {
            "allowed_decisions": ["approve", "reject"],
            "when": lambda request: next(turns[request.tool_call["id"]]),
        }
    }
    agent = bench.agent([[call("send", "c1", x=1), call("send", "c2", x=2)], "end"], interrupt_on=gates)
    await bench.invoke(agent)
    agent = await bench.restart()
    result = await bench.answer(agent, {"decisions": [{"type": "reject"}]})
    assert bench.ran == [("send", 2)]
    assert results(result)["c1"][0] == "error"


async def test_a_when_that_raises_runs_nothing(simple: Bench) -> None:
    def when(request: Any) -> bool:
        raise RuntimeError("broken policy")

    gates = {"send": {"allowed_decisions": ["approve"], "when": when}}
    agent = simple.agent([call("send", x=1), "end"], interrupt_on=gates)
    with pytest.raises(RuntimeError, match="broken policy"):
        await simple.invoke(agent)
    assert simple.ran == []


async def test_of_several_patterns_the_most_specific_wins(bench: Bench) -> None:
    gates = {"delete_*": True, "delete_draft": False, "*": {"allowed_decisions": ["reject"]}}
    names = ["delete_file", "delete_draft", "send"]
    agent = bench.agent([[call(name, name, x=1) for name in names], "end"], interrupt_on=gates)
    await bench.invoke(agent)
    waiting = {action.tool: action.allowed_decisions for action in await bench.pending(agent)}
    assert waiting == {"delete_file": ("approve", "edit", "reject", "respond"), "send": ("reject",)}


async def test_a_tool_set_free_among_gated_ones_does_not_wait(bench: Bench) -> None:
    agent = bench.agent([[call("look", x=1)], "end"], interrupt_on={"send": True, "look": False})
    await bench.invoke(agent)
    assert bench.ran == [("look", 1)]


@pytest.mark.parametrize("theirs", [StockMiddleware, HumanInTheLoopMiddleware])
async def test_the_users_own_gate_and_interrupt_on_make_one_pause(bench: Bench, theirs: type[Any]) -> None:
    own = theirs({"send": {"allowed_decisions": ["reject"]}}, description_prefix="Look here")
    agent = bench.agent(
        [[call("send", "c1", x=1), call("delete_file", "c2", x=2)], "end"],
        interrupt_on={"delete_file": True},
        middleware=[own],
    )
    result = await bench.invoke(agent)
    assert len(result["__interrupt__"]) == 1
    waiting = await bench.pending(agent)
    assert [(a.tool, a.allowed_decisions[0]) for a in waiting] == [("send", "reject"), ("delete_file", "approve")]
    assert waiting[0].description.startswith("Look here")
    await bench.answer(agent, {"decisions": [{"type": "reject"}, {"type": "approve"}]})
    assert bench.ran == [("delete_file", 2)]


def test_two_policies_for_one_tool_are_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="'send' is gated twice"):
        build(
            kind,
            ScriptedChatModel(),
            Tools().all,
            interrupt_on={"send": True},
            middleware=[HumanInTheLoopMiddleware({"send": {"allowed_decisions": ["reject"]}})],
            checkpointer=InMemorySaver(),
        )


def test_a_gate_class_of_the_users_own_beside_interrupt_on_is_refused(kind: str) -> None:
    class Own(HumanInTheLoopMiddleware):
        pass

    with pytest.raises(ValueError, match="Own"):
        build(
            kind,
            ScriptedChatModel(),
            Tools().all,
            interrupt_on={"send": True},
            middleware=[Own({"look": True})],
            checkpointer=InMemorySaver(),
        )


def test_one_pause_for_each_call_needs_one_task_for_each_call() -> None:
    with pytest.raises(ValueError, match="needs version='v2'"):
        build(
            "react-v1",
            ScriptedChatModel(),
            Tools().all,
            middleware=[HumanInTheLoopMiddleware({"send": True}, interrupt_mode="per_call")],
            checkpointer=InMemorySaver(),
        )


def test_the_description_may_be_a_text_or_a_function_of_call_state_and_runtime() -> None:
    def describe(tool_call: Any, state: Any, runtime: Any) -> str:
        return f"{tool_call['name']} after {len(state['messages'])} messages, context {runtime.context}"

    tools = Tools()
    middleware = HumanInTheLoopMiddleware(
        {
            "send": {"allowed_decisions": ["approve"], "description": "Please look"},
            "look": {"allowed_decisions": ["approve"], "description": describe},
            "delete_file": True,
        },
        tools=tools.all,
        description_prefix="Check",
    )
    script = [[call("send", x=1), call("look", x=2), call("delete_file", x=3)]]
    agent = langchain_create_agent(
        ScriptedChatModel(script=script), tools.all, middleware=[middleware], checkpointer=InMemorySaver()
    )
    result = agent.invoke({"messages": [("user", "go")]}, {"configurable": {"thread_id": "t"}}, context={"who": "me"})
    texts = [one["description"] for one in result["__interrupt__"][0].value["action_requests"]]
    assert texts == [
        "Please look",
        "look after 2 messages, context {'who': 'me'}",
        "Check\n\nTool: delete_file\nArgs: {'x': 3}",
    ]
