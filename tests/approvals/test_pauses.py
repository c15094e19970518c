"""When an agent pauses, what is seen of it, and that nothing gets around it."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt

from agentkit.hitl import pending, resume
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import ScriptedChatModel, call

from .conftest import OLD_DEEPAGENTS, Bench, Tools, build, needs_deepagents, results

CONFIG: Any = {"configurable": {"thread_id": "t"}}
GO: Any = {"messages": [("user", "go")]}


class TestNothingToPersistIn:
    async def test_an_agent_without_a_checkpointer_is_refused_before_any_tool_runs(self, bench: Bench) -> None:
        agent = bench.agent(
            [call("look", x=1), call("send", x=1), "end"], interrupt_on={"send": True}, checkpointer=None
        )
        with pytest.raises(ValueError, match="checkpointer="):
            await bench.invoke(agent)
        assert bench.ran == []

    def test_a_checkpointer_that_is_switched_off_is_refused_at_build(self) -> None:
        for kind in ("create_agent", "react-v1", "react-v2"):
            with pytest.raises(ValueError, match="checkpointer=False"):
                build(kind, ScriptedChatModel(), Tools().all, interrupt_on={"send": True}, checkpointer=False)

    async def test_an_agent_without_a_checkpointer_answers_in_words(self, bench: Bench) -> None:
        agent = bench.agent(["hello"], interrupt_on={"send": True}, checkpointer=None)
        assert (await bench.invoke(agent))["messages"][-1].content == "hello"

    @pytest.mark.parametrize("wrapped", [False, True])
    async def test_inside_a_graph_that_has_one_it_pauses_and_resumes(self, bench: Bench, wrapped: bool) -> None:
        agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True}, checkpointer=None)

        def node(state: Any, config: RunnableConfig) -> Any:
            return {"messages": agent.invoke(state, config)["messages"]}

        async def anode(state: Any, config: RunnableConfig) -> Any:
            return {"messages": (await agent.ainvoke(state, config))["messages"]}

        outer = inside(agent if not wrapped else anode if bench.mode == "async" else node, bench.saver)
        await bench.invoke(outer)
        (action,) = await bench.pending(outer)
        assert (action.tool, action.where) == ("send", ("inner",))
        await bench.resume(outer, [{"type": "approve"}])
        assert bench.ran == [("send", 1)]

    def test_a_node_that_keeps_its_config_to_itself_pauses_or_is_refused(self, kind: str, simple: Bench) -> None:
        simple.kind = kind
        agent = simple.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True}, checkpointer=None)
        outer = inside(lambda state: {"messages": agent.invoke(state)["messages"]}, InMemorySaver())
        try:
            outer.invoke(GO, CONFIG)
        except ValueError as error:  # langgraph before 1.2 hides the config from an agent with one of its own
            assert "agent.invoke(state, config)" in str(error)  # noqa: PT017 - both ends are right
        else:
            assert [action.tool for action in pending(outer, CONFIG)] == ["send"]
        assert simple.ran == []


def inside(node: Any, saver: Any) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("inner", node)
    graph.add_edge(START, "inner")
    return graph.compile(checkpointer=saver)


class TestStreams:
    async def parts(self, bench: Bench, agent: Any, value: Any, **kwargs: Any) -> list[Any]:
        if bench.mode == "sync":
            return list(agent.stream(value, bench.config, **kwargs))
        return [part async for part in agent.astream(value, bench.config, **kwargs)]

    async def test_the_pause_is_seen_in_the_updates(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        parts = await self.parts(bench, agent, GO, stream_mode=["messages", "updates"])
        seen = [data["__interrupt__"] for mode, data in parts if mode == "updates" and "__interrupt__" in data]
        assert [one.value["action_requests"][0]["name"] for (one,) in seen] == ["send"]
        answer: Any = Command(resume={"decisions": [{"type": "approve"}]})
        parts = await self.parts(bench, agent, answer, stream_mode=["messages", "updates"])
        assert bench.ran == [("send", 1)]
        assert not any("__interrupt__" in data for mode, data in parts if mode == "updates")

    async def test_the_pause_is_seen_in_the_values(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        parts = await self.parts(bench, agent, GO, stream_mode="values")
        assert parts[-1]["__interrupt__"][0].value["tool_call_ids"] == ["c1"]

    async def test_the_pause_is_seen_in_the_events(self, kind: str, simple: Bench) -> None:
        simple.kind = kind
        agent = simple.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        events = [event async for event in agent.astream_events(GO, CONFIG, version="v2")]
        chunks = [e["data"]["chunk"] for e in events if e["event"] == "on_chain_stream" and not e["parent_ids"]]
        assert any("__interrupt__" in chunk for chunk in chunks if isinstance(chunk, dict))

    async def test_the_record_of_the_review_stays_private(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        assert "hitl_reviews" not in await bench.invoke(agent)
        assert "hitl_reviews" not in await bench.resume(agent, [{"type": "approve"}])


class Jumps(AgentMiddleware[Any, Any]):
    """Sends the calls of the turn straight to the tools, past every other hook."""

    @hook_config(can_jump_to=["tools"])
    def after_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        return {"jump_to": "tools"} if state["messages"][-1].tool_calls else None


class JumpsAgain(AgentMiddleware[Any, Any]):
    """Sends a turn that is done to the tools a second time."""

    done = False

    @hook_config(can_jump_to=["tools"])
    def before_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        if state["messages"][-1].type == "tool" and not self.done:
            self.done = True
            return {"jump_to": "tools"}
        return None


class Rewrites(AgentMiddleware[Any, Any]):
    """Changes the arguments of the calls, after the model or at the tools."""

    def __init__(self, where: str, **change: Any) -> None:
        super().__init__()
        self.where, self.change = where, change

    def after_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        message = state["messages"][-1]
        if self.where != "model" or not isinstance(message, AIMessage) or not message.tool_calls:
            return None
        calls = [{**one, **self.change} for one in message.tool_calls]
        return {"messages": [message.model_copy(update={"tool_calls": calls})]}

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        if self.where == "tools":
            request = request.override(tool_call={**request.tool_call, **self.change})
        return handler(request)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        if self.where == "tools":
            request = request.override(tool_call={**request.tool_call, **self.change})
        return await handler(request)


class TestNothingGetsAround:
    async def test_a_jump_to_the_tools_does_not_run_a_gated_call(self, bench: Bench) -> None:
        script = [[call("send", "c1", x=1), call("look", "c2", x=2)], "end"]
        agent = bench.agent(script, interrupt_on={"send": True}, middleware=[Jumps()])
        result = await bench.invoke(agent)
        assert bench.ran == [("look", 2)]
        assert results(result)["c1"][0] == "error"
        assert result["messages"][-1].content == "end"

    @pytest.mark.parametrize("decision", ["approve", "reject", "respond"])
    async def test_a_jump_back_to_the_tools_repeats_nothing(self, bench: Bench, decision: str) -> None:
        script = [[call("send", "c1", x=1), call("send", "c2", x=2)], "end"]
        agent = bench.agent(script, interrupt_on={"send": True}, middleware=[JumpsAgain()])
        await bench.invoke(agent)
        one = {"type": decision, "message": "m"}
        result = await bench.resume(agent, [one, {"type": "approve"}])
        expected = [("send", 1)] if decision == "approve" else []
        assert sorted(bench.ran) == [*expected, ("send", 2)]
        assert len([m for m in result["messages"] if m.type == "tool"]) == 2

    async def test_a_call_changed_after_the_model_is_reviewed_as_changed(self, bench: Bench) -> None:
        agent = bench.agent(
            [call("send", "c1", x=1), "end"], interrupt_on={"send": True}, middleware=[Rewrites("model", args={"x": 9})]
        )
        await bench.invoke(agent)
        assert [action.args for action in await bench.pending(agent)] == [{"x": 9}]
        await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == [("send", 9)]

    @pytest.mark.parametrize("change", [{"args": {"x": 9}}, {"name": "delete_file"}])
    async def test_a_call_changed_after_its_approval_does_not_run(self, bench: Bench, change: Any) -> None:
        gates = {"send": True, "delete_file": True}
        agent = bench.agent(
            [call("send", "c1", x=1), "end"], interrupt_on=gates, middleware=[Rewrites("tools", **change)]
        )
        await bench.invoke(agent)
        result = await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == []
        assert results(result)["c1"][0] == "error"

    async def test_a_free_call_changed_into_a_gated_one_does_not_run(self, bench: Bench) -> None:
        middleware = [Rewrites("tools", name="send")]
        agent = bench.agent([call("look", "c1", x=1), "end"], interrupt_on={"send": True}, middleware=middleware)
        result = await bench.invoke(agent)
        assert bench.ran == []
        assert results(result)["c1"][0] == "error"

    @pytest.mark.parametrize("version", ["v1", "v2"])
    async def test_a_tool_nodes_own_wrapper_can_not_change_an_approved_call(self, simple: Bench, version: str) -> None:
        def wrap(request: Any, execute: Any) -> Any:
            return execute(request.override(tool_call={**request.tool_call, "args": {"x": 9}}))

        simple.kind = f"react-{version}"
        node = ToolNode(simple.tools.all, wrap_tool_call=wrap)
        for mode in ("sync", "async"):
            simple.mode, simple.saver = mode, InMemorySaver()
            agent = simple.agent([call("send", "c1", x=1), "end"], node, interrupt_on={"send": True})
            await simple.invoke(agent)
            result = await simple.resume(agent, [{"type": "approve"}])
            assert simple.ran == []
            assert results(result)["c1"][0] == "error"

    async def test_the_middleware_alone_refuses_what_was_changed_before_it(self, simple: Bench) -> None:
        gate = HumanInTheLoopMiddleware({"send": True})
        agent = langchain_create_agent(
            ScriptedChatModel(script=[call("send", "c1", x=1), "end"]),
            simple.tools.all,
            middleware=[Rewrites("tools", args={"x": 9}), gate],
            checkpointer=InMemorySaver(),
        )
        agent.invoke(GO, CONFIG)
        result = resume(agent, CONFIG, [{"type": "approve"}])
        assert simple.ran == []
        assert results(result)["c1"][0] == "error"

    async def test_calls_that_share_an_id_do_not_run(self, bench: Bench) -> None:
        script = [[call("send", "c1", x=1), call("send", "c1", x=2), call("send", "c2", x=3)], "end"]
        agent = bench.agent(script, interrupt_on={"send": True})
        await bench.invoke(agent)
        assert [action.tool_call_id for action in await bench.pending(agent)] == ["c2"]
        result = await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == [("send", 3)]
        assert results(result)["c1"][0] == "error"

    async def test_a_call_id_used_again_in_a_later_turn_is_asked_about_again(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        await bench.invoke(agent)
        await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == [("send", 1)]
        result = await bench.resume(agent, [{"type": "reject"}])
        assert bench.ran == [("send", 1)]
        assert result["messages"][-1].content == "end"

    async def test_a_call_that_other_middleware_answered_is_not_asked_about(self, bench: Bench) -> None:
        from langchain.agents.middleware import ToolCallLimitMiddleware

        limit = ToolCallLimitMiddleware(tool_name="send", run_limit=1)
        script = [[call("send", "c1", x=1), call("send", "c2", x=2)], "end"]
        agent = bench.agent(script, interrupt_on={"send": True}, middleware=[limit])
        await bench.invoke(agent)
        assert [action.tool_call_id for action in await bench.pending(agent)] == ["c1"]
        await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == [("send", 1)]

    async def test_running_on_without_an_answer_pauses_again(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
        await bench.invoke(agent)
        agent = await bench.restart()
        result = agent.invoke(None, bench.config) if bench.mode == "sync" else await agent.ainvoke(None, bench.config)
        assert result["__interrupt__"]
        assert bench.ran == []


class TestHistory:
    async def test_a_new_message_on_a_paused_thread_leaves_no_call_without_an_answer(self, bench: Bench) -> None:
        agent = bench.agent([[call("send", "c1", x=1), call("look", "c2", x=2)], "fine"], interrupt_on={"send": True})
        await bench.invoke(agent)
        agent = await bench.restart()
        result = await bench.invoke(agent, "never mind")
        assert [m.type for m in result["messages"]] == ["human", "ai", "tool", "tool", "human", "ai"]
        if not OLD_DEEPAGENTS or bench.kind != "create_deep_agent":  # which answers them itself, with no status
            assert {status for status, _ in results(result).values()} == {"error"}
        assert bench.ran == []
        assert await bench.pending(agent) == []

    async def test_an_answer_that_comes_after_a_new_message_runs_nothing(self, bench: Bench) -> None:
        agent = bench.agent([call("send", "c1", x=1), "fine"], interrupt_on={"send": True})
        key = (await bench.invoke(agent))["__interrupt__"][0].id
        await bench.invoke(agent, "never mind")
        await bench.answer(agent, {key: [{"type": "approve"}]})
        await bench.answer(agent, [{"type": "approve"}])
        assert bench.ran == []


class TestSubAgents:
    """An agent inside a node or tool of another one, which keeps the thread."""

    def outer(self, inner: Any, saver: Any) -> Any:
        graph = StateGraph(MessagesState)
        graph.add_node("inner", inner)
        graph.add_edge(START, "inner")
        return graph.compile(checkpointer=saver)

    @pytest.mark.parametrize("addressed", [False, True])
    async def test_an_answer_without_address_is_not_taken_for_a_later_pause(
        self, bench: Bench, addressed: bool
    ) -> None:
        script = [call("send", f"c{n}", x=n) for n in range(4)]
        agent = bench.agent([*script, "end"], interrupt_on={"send": True}, checkpointer=None)
        outer = self.outer(agent, bench.saver)
        await bench.invoke(outer)
        await bench.answer(outer, [{"type": "approve"}])
        assert bench.ran == [("send", 0)]
        if addressed:  # the first answer is still stored when the second one comes by id
            await bench.resume(outer, [{"type": "approve"}])
            assert bench.ran == [("send", 0), ("send", 1)]
        before = list(bench.ran)
        for _ in range(2):  # a worker that picks the thread up again brings no answer
            result = (
                outer.invoke(None, bench.config) if bench.mode == "sync" else await outer.ainvoke(None, bench.config)
            )
            assert result["__interrupt__"]
            assert bench.ran == before

    async def test_a_refused_answer_is_not_taken_for_a_later_pause(self, bench: Bench) -> None:
        script = [[call("send", "c0", x=0), call("send", "c1", x=1)], call("send", "c2", x=2), "end"]
        agent = bench.agent(script, interrupt_on={"send": True}, checkpointer=None)
        outer = self.outer(agent, bench.saver)
        await bench.invoke(outer)
        await bench.refused(outer, [{"type": "approve"}], "1 decisions were given for 2")
        await bench.resume(outer, [{"type": "reject"}, {"type": "reject"}])
        assert [action.tool_call_id for action in await bench.pending(outer)] == ["c2"]
        result = outer.invoke(None, bench.config) if bench.mode == "sync" else await outer.ainvoke(None, bench.config)
        assert result["__interrupt__"]
        assert bench.ran == []

    async def test_an_answer_that_a_tool_asked_for_is_not_taken_for_an_approval(self, bench: Bench) -> None:
        @tool
        def confirm() -> str:
            "Ask."
            return str(interrupt("sure?"))

        script = [call("confirm", "c0"), call("confirm", "c1"), call("send", "c2", x=2), "end"]
        tools = [*bench.tools.all, confirm]
        agent = bench.agent(script, tools, interrupt_on={"send": True}, checkpointer=None)
        outer = self.outer(agent, bench.saver)
        await bench.invoke(outer)
        await bench.answer(outer, {"type": "approve"})
        (action,) = await bench.pending(outer)
        assert (action.tool, action.description) == (None, "sure?")
        await bench.resume(outer, {action.interrupt_id: "yes"})
        assert [action.tool for action in await bench.pending(outer)] == ["send"]
        assert bench.ran == []

    @needs_deepagents
    async def test_two_pauses_at_once_are_listed_with_where_they_are_and_answered_one_or_both(
        self, mode: str, store: str, tmp_path: Any
    ) -> None:
        bench = Bench("create_deep_agent", mode, store, tmp_path / "t.sqlite")
        await bench.open()

        def first(messages: list[Any]) -> Any:
            task = next(m for m in messages if m.type == "human").content
            if task == "go":
                return [
                    call("task", "t1", description="one", subagent_type="one"),
                    call("task", "t2", description="two", subagent_type="two"),
                ]
            return call("send", f"c-{task}", x=len(task))

        def second(messages: list[Any]) -> Any:
            task = next(m for m in messages if m.type == "human").content
            return "end" if task == "go" else call("send", f"d-{task}", x=len(task))

        specs = [{"name": name, "description": name, "system_prompt": name} for name in ("one", "two")]
        agent = bench.agent([first, second, "done"], interrupt_on={"send": True}, subagents=specs)
        await bench.invoke(agent)
        waiting = {action.where: action for action in await bench.pending(agent)}
        assert set(waiting) == {("one",), ("two",)}
        assert waiting[("one",)].tool_call_id == "c-one"
        with pytest.raises(ValueError, match="2 interrupts wait"):
            await bench.resume(agent, [{"type": "approve"}])
        agent = await bench.restart()
        await bench.resume(agent, {"decisions": {"c-two": {"type": "approve"}}})
        assert bench.ran == [("send", 3)]
        assert {a.tool_call_id for a in await bench.pending(agent)} == {"c-one", "d-two"}
        await bench.resume(agent, {"decisions": {"c-one": {"type": "reject"}, "d-two": {"type": "approve"}}})
        assert bench.ran == [("send", 3), ("send", 3)]
        assert {a.tool_call_id for a in await bench.pending(agent)} == {"d-one"}
        result = await bench.resume(agent, {"decisions": {"d-one": {"type": "reject"}}})
        assert result["messages"][-1].content == "end"
        assert len(bench.ran) == 2
        await bench.close()


def test_pending_needs_no_model_and_finds_nothing_on_a_fresh_thread() -> None:
    agent = build(
        "create_agent", ScriptedChatModel(), Tools().all, interrupt_on={"send": True}, checkpointer=InMemorySaver()
    )
    assert pending(agent, CONFIG) == []
