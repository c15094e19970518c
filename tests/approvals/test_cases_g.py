"""Cases found by attacking approvals: once, and only what was shown."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import AgentMiddleware, ToolCallLimitMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call

from .conftest import KINDS, build, needs_deepagents
from .shapes import SHAPES, as_node, build_shape

GO: Any = {"messages": [("user", "go")]}
CONFIG: Any = {"configurable": {"thread_id": "t"}}
YES, NO = [{"type": "approve"}], [{"type": "reject"}]
EDIT = [{"type": "edit", "edited_action": {"name": "pay", "args": {"x": 2}}}]
MODES = ["batched", "per_call"]
GATES: dict[str, Callable[[], Any]] = {
    "batched": lambda: HumanInTheLoopMiddleware({"pay": True}),
    "per_call": lambda: HumanInTheLoopMiddleware({"pay": True}, interrupt_mode="per_call"),
    "human_interrupt": lambda: HumanInTheLoopMiddleware({"pay": True}, schema="human_interrupt"),
}


class Pay:
    """A tool `pay(x)` that says what ran, and can fail once or wait until it is let go on."""

    def __init__(self, *, fails: int = 0, waits: bool = False) -> None:
        self.ran: list[Any] = []
        self.fails, self.waits = fails, waits
        self.entered, self.go_on = threading.Event(), threading.Event()
        self.tool = StructuredTool.from_function(self._pay, self._apay, name="pay", description="Pay.")

    def _pay(self, x: Any) -> str:
        self.ran.append(x)
        if len(self.ran) <= self.fails:
            raise RuntimeError("network")
        if self.waits and len(self.ran) == 1:
            self.entered.set()
            assert self.go_on.wait(60)
        return f"paid {x}"

    async def _apay(self, x: Any) -> str:
        return await asyncio.to_thread(self._pay, x) if self.waits else self._pay(x)


def answered(graph: Any, config: Any = CONFIG) -> dict[str, str]:
    """The content of the tool messages by call id; every call of the history has exactly one."""
    messages = graph.get_state(config).values["messages"]
    calls = [one["id"] for m in messages if isinstance(m, AIMessage) for one in m.tool_calls]
    found = [m.tool_call_id for m in messages if m.type == "tool"]
    assert sorted(calls) == sorted(found), messages
    return {m.tool_call_id: str(m.content) for m in messages if m.type == "tool"}


def finish(graph: Any, again: str = "approve") -> None:
    """Bring a thread to its end, as a worker with a person beside it would."""
    for _ in range(10):
        if waiting := hitl.pending(graph, CONFIG):
            doubt = {"again": True} if again == "approve" else {}
            decisions: Any = {
                one.tool_call_id: {"type": again, **doubt} if getattr(one, "may_have_run", "") else YES[0]
                for one in waiting
            }
            hitl.resume(graph, CONFIG, {"decisions": decisions})
        elif graph.get_state(CONFIG).tasks:
            graph.invoke(None, CONFIG)
        else:
            return
    raise AssertionError("the thread did not end")


class InTheTool:
    """A run that approves and is inside the tool while the block runs."""

    def __init__(self, graph: Any, pay: Pay, answer: Any = None, **kwargs: Any) -> None:
        self.graph, self.pay, self.kwargs = graph, pay, kwargs
        self.answer = hitl.command(hitl.pending(graph, CONFIG), YES) if answer is None else answer
        self.pool = ThreadPoolExecutor(1)

    def __enter__(self) -> None:
        self.run = self.pool.submit(self.graph.invoke, self.answer, CONFIG, **self.kwargs)
        while not self.pay.entered.wait(0.05):
            assert not self.run.done(), self.run.exception()

    def __exit__(self, *error: Any) -> None:
        self.pay.go_on.set()
        with self.pool:
            self.run.result(60)


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=list(GATES))
def gate(request: pytest.FixtureRequest) -> Any:
    return GATES[request.param]()


class TestG1AFailedTool:
    def test_its_call_no_longer_waits_and_a_late_answer_starts_nothing(self, shape: str, gate: Any) -> None:
        pay = Pay(fails=1)
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        graph.invoke(GO, CONFIG)
        with pytest.raises(RuntimeError, match="network"):
            hitl.resume(graph, CONFIG, YES)
        assert hitl.pending(graph, CONFIG) == []
        with pytest.raises(hitl.AnswerError):
            hitl.resume(graph, CONFIG, NO)
        assert pay.ran == [1]
        graph.invoke(None, CONFIG)
        assert pay.ran == [1, 1]
        answered(graph)

    def test_nor_does_it_where_the_agent_had_finished_and_the_node_after_it_failed(self) -> None:
        pay, failed = Pay(), []

        def then(state: Any) -> Any:
            failed.append(1)
            if len(failed) == 1:
                raise RuntimeError("after")
            return {}

        agent = create_agent(
            ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool], interrupt_on={"pay": True}
        )
        graph = as_node(agent, then, checkpointer=InMemorySaver())
        graph.invoke(GO, CONFIG)
        with pytest.raises(RuntimeError, match="after"):
            hitl.resume(graph, CONFIG, YES)
        assert hitl.pending(graph, CONFIG) == []
        with pytest.raises(hitl.AnswerError):
            hitl.resume(graph, CONFIG, NO)
        graph.invoke(None, CONFIG)
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1"}

    async def test_async(self, shape: str, gate: Any) -> None:
        pay = Pay(fails=1)
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        await graph.ainvoke(GO, CONFIG)
        with pytest.raises(RuntimeError, match="network"):
            await hitl.aresume(graph, CONFIG, YES)
        assert await hitl.apending(graph, CONFIG) == []
        with pytest.raises(hitl.AnswerError):
            await hitl.aresume(graph, CONFIG, NO)
        await graph.ainvoke(None, CONFIG)
        assert pay.ran == [1, 1]


class TestG2ASecondAnswerWhileTheToolRuns:
    @pytest.mark.parametrize("second", [YES, NO, EDIT])
    def test_is_refused(self, shape: str, gate: Any, second: Any) -> None:
        pay = Pay(waits=True)
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        graph.invoke(GO, CONFIG)
        with InTheTool(graph, pay), pytest.raises(hitl.AnswerError):
            hitl.resume(graph, CONFIG, second)
        assert pay.ran == [1]
        finish(graph)
        assert pay.ran == [1]
        answered(graph)


class TestG3OneCommandSentOften:
    def test_one_after_the_other(self, shape: str, gate: Any) -> None:
        pay = Pay()
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        graph.invoke(GO, CONFIG)
        answer = hitl.command(hitl.pending(graph, CONFIG), YES)
        for _ in range(3):
            with suppress(hitl.AnswerError):
                graph.invoke(answer, CONFIG)
        assert pay.ran == [1]
        answered(graph)

    def test_from_several_threads_at_once(self, shape: str, gate: Any) -> None:
        pay = Pay()
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        graph.invoke(GO, CONFIG)
        answer = hitl.command(hitl.pending(graph, CONFIG), YES)
        ready = threading.Barrier(6)

        def send() -> None:
            ready.wait(60)
            with suppress(hitl.AnswerError):
                graph.invoke(answer, CONFIG)

        with ThreadPoolExecutor(6) as pool:
            for one in [pool.submit(send) for _ in range(6)]:
                one.result(60)
        assert pay.ran == [1]
        finish(graph)
        assert pay.ran == [1]
        answered(graph)

    async def test_from_several_tasks_at_once(self, shape: str, gate: Any) -> None:
        pay = Pay()
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        await graph.ainvoke(GO, CONFIG)
        answer = hitl.command(await hitl.apending(graph, CONFIG), YES)
        sent = await asyncio.gather(*(graph.ainvoke(answer, CONFIG) for _ in range(6)), return_exceptions=True)
        assert [one for one in sent if isinstance(one, BaseException) and not isinstance(one, hitl.AnswerError)] == []
        assert pay.ran == [1]
        await asyncio.to_thread(finish, graph)
        assert pay.ran == [1]
        answered(graph)


class TestG4AnAnswerReadBeforeAnotherWasGiven:
    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "create_deep_agent"])
    @pytest.mark.parametrize("late", [YES, NO, EDIT])
    def test_is_refused_while_the_tool_runs_and_after(self, kind: str, late: Any) -> None:
        pay = Pay(waits=True)
        graph = build(
            kind, ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool], interrupt_on={"pay": True},
            checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        seen_by_b = hitl.pending(graph, CONFIG)
        with InTheTool(graph, pay):
            with suppress(hitl.AnswerError):
                graph.invoke(hitl.command(seen_by_b, late), CONFIG)
            assert pay.ran == [1]
        with suppress(hitl.AnswerError):
            graph.invoke(hitl.command(seen_by_b, late), CONFIG)
        finish(graph)
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1"}


class TestG5AnAnswerHoldsForWhatWasShown:
    TWO = [[call("pay", "p", x=1), call("pay", "q", x="ALL")]]

    def agent(self, pay: Pay, shape: str = "alone", **gate: Any) -> Any:
        middleware = [HumanInTheLoopMiddleware({"pay": True}, **{"schema": "human_interrupt", **gate})]
        return build_shape(shape, "create_agent", self.TWO, [pay.tool], InMemorySaver(), middleware=middleware)

    def test_a_command_made_for_the_first_request_does_not_answer_the_second(self, shape: str) -> None:
        pay = Pay()
        graph = self.agent(pay, shape)
        graph.invoke(GO, CONFIG)
        late = hitl.command(hitl.pending(graph, CONFIG), YES)
        hitl.resume(graph, CONFIG, NO)
        with suppress(hitl.AnswerError):
            graph.invoke(late, CONFIG)
        assert pay.ran == []
        assert [one.args for one in hitl.pending(graph, CONFIG)] == [{"x": "ALL"}]

    def test_nor_does_one_sent_twice(self, shape: str) -> None:
        pay = Pay()
        graph = self.agent(pay, shape)
        graph.invoke(GO, CONFIG)
        answer = hitl.command(hitl.pending(graph, CONFIG), YES)
        for _ in range(2):
            with suppress(hitl.AnswerError):
                graph.invoke(answer, CONFIG)
        assert "ALL" not in pay.ran
        assert [one.args for one in hitl.pending(graph, CONFIG)] == [{"x": "ALL"}]
        finish(graph)
        assert sorted(pay.ran, key=str) == [1, "ALL"]
        answered(graph) if shape in ("alone", "node", "two levels") else None

    def test_nor_does_one_by_interrupt_id(self) -> None:
        pay = Pay()
        graph = self.agent(pay)
        graph.invoke(GO, CONFIG)
        waiting = hitl.pending(graph, CONFIG)
        late = hitl.command(waiting, {waiting[0].interrupt_id: YES})
        hitl.resume(graph, CONFIG, {waiting[0].interrupt_id: NO})
        with suppress(hitl.AnswerError):
            graph.invoke(late, CONFIG)
        assert pay.ran == []

    def test_nor_is_an_interrupt_of_the_tool_itself_answered_by_the_approval_of_its_call(self) -> None:
        ran: list[Any] = []

        @tool
        def book(x: int) -> str:
            "Book."
            ran.append(interrupt("sure?"))
            return "booked"

        gate = HumanInTheLoopMiddleware({"book": True}, interrupt_mode="per_call")
        graph = create_agent(
            ScriptedChatModel(script=[call("book", "b", x=1), "end"]),
            [book],
            middleware=[gate],
            checkpointer=InMemorySaver(),
        )
        graph.invoke(GO, CONFIG)
        answer = hitl.command(hitl.pending(graph, CONFIG), YES)
        graph.invoke(answer, CONFIG)
        with suppress(hitl.AnswerError):
            graph.invoke(answer, CONFIG)
        assert ran == []
        assert [one.value for one in hitl.pending(graph, CONFIG)] == ["sure?"]
        hitl.resume(graph, CONFIG, "yes")
        assert ran == ["yes"]
        assert answered(graph) == {"b": "booked"}


class TestG6AWrongAnswerIsNoResult:
    @pytest.mark.parametrize("wrong", ["yes", {"decisions": []}, [{"type": "nope"}], {"decisions": {"zz": YES[0]}}])
    def test_per_call_with_errors_handled(self, wrong: Any) -> None:
        pay = Pay()
        graph = create_agent(
            ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool], middleware=[GATES["per_call"]()],
            handle_tool_errors=True, checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        graph.invoke(Command(resume=wrong), CONFIG)
        (still,) = hitl.pending(graph, CONFIG)
        assert still.tool_call_id == "p"
        assert not any(m.type == "tool" for m in graph.get_state(CONFIG).values["messages"])
        hitl.resume(graph, CONFIG, YES)
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1"}

    def test_nor_is_it_where_a_middleware_outside_turns_errors_into_results(self) -> None:
        class ErrorsToResults(AgentMiddleware[Any, Any]):
            def wrap_tool_call(self, request: Any, handler: Any) -> Any:
                from langchain_core.messages import ToolMessage

                try:
                    return handler(request)
                except ValueError as error:
                    return ToolMessage(str(error), tool_call_id=request.tool_call["id"], status="error")

        pay = Pay(waits=True)
        graph = langchain_create_agent(
            ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool],
            middleware=[ErrorsToResults(), GATES["per_call"]()], checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        graph.invoke(Command(resume="yes"), CONFIG)
        waiting = hitl.pending(graph, CONFIG)
        with InTheTool(graph, pay), suppress(hitl.AnswerError):
            graph.invoke(hitl.command(waiting, NO), CONFIG)
        finish(graph)
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1"}


class TestG7OneTaskForAllCalls:
    def test_an_approved_call_beside_a_tool_that_asks_itself_runs_once(self) -> None:
        pay = Pay()

        @tool
        def book(x: int) -> str:
            "Book."
            return str(interrupt("sure?"))

        graph = create_react_agent(
            ScriptedChatModel(script=[[call("pay", "p", x=1), call("book", "b", x=2)], "end"]), [pay.tool, book],
            version="v1", interrupt_on={"pay": True}, checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        hitl.resume(graph, CONFIG, YES)
        hitl.resume(graph, CONFIG, "yes")
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1", "b": "yes"}

    def test_an_approved_call_beside_one_that_fails_once_runs_once(self) -> None:
        pay, failed = Pay(), []

        @tool
        def book(x: int) -> str:
            "Book."
            failed.append(x)
            if len(failed) == 1:
                raise RuntimeError("network")
            return "booked"

        graph = create_react_agent(
            ScriptedChatModel(script=[[call("pay", "p", x=1), call("book", "b", x=2)], "end"]), [pay.tool, book],
            version="v1", interrupt_on={"pay": True}, checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        with pytest.raises(RuntimeError, match="network"):
            hitl.resume(graph, CONFIG, YES)
        graph.invoke(None, CONFIG)
        assert pay.ran == [1]
        assert answered(graph) == {"p": "paid 1", "b": "booked"}


class TestG8NothingIsStoredBeforeTheEnd:
    @pytest.mark.parametrize("second", [YES, NO])
    def test_a_second_answer_does_not_run_the_tool_again(self, shape: str, second: Any) -> None:
        pay = Pay(waits=True)
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[GATES["batched"]()]
        )
        graph.invoke(GO, CONFIG, durability="exit")
        with InTheTool(graph, pay, durability="exit"), pytest.raises(hitl.AnswerError):
            hitl.resume(graph, CONFIG, second, durability="exit")
        with suppress(hitl.AnswerError):
            hitl.resume(graph, CONFIG, second, durability="exit")
        assert pay.ran == [1]
        finish(graph)
        assert pay.ran == [1]


class TestG9ACancelledTool:
    @pytest.mark.parametrize("decision", ["approve", "reject", "respond"])
    async def test_its_call_can_be_answered_at_once(self, shape: str, gate: Any, decision: str) -> None:
        ran: list[int] = []
        entered, never = asyncio.Event(), asyncio.Event()

        async def pay(x: int) -> str:
            "Pay."
            ran.append(x)
            if len(ran) == 1:
                entered.set()
                await never.wait()
            return f"paid {x}"

        pay_tool = StructuredTool.from_function(coroutine=pay)
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay_tool], InMemorySaver(), middleware=[gate]
        )
        await graph.ainvoke(GO, CONFIG)
        run = asyncio.create_task(hitl.aresume(graph, CONFIG, YES))
        await entered.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        (doubt,) = await hitl.apending(graph, CONFIG)
        assert doubt.tool_call_id == "p"
        assert "may have run" in doubt.may_have_run
        assert doubt.started_run == "over"
        if decision == "approve":  # a plain approval may have been meant for the first start
            with pytest.raises(hitl.AnswerError, match="'again': True"):
                await hitl.aresume(graph, CONFIG, YES)
        assert ran == [1]
        answer: dict[str, Any] = {"type": decision}
        if decision == "approve":
            answer["again"] = True
        if decision == "respond":
            answer["message"] = "it was paid"
        await hitl.aresume(graph, CONFIG, {"decisions": {"p": answer}})
        assert ran == ([1, 1] if decision == "approve" else [1])
        assert await hitl.apending(graph, CONFIG) == []
        answered(graph)


class TestG10AToolThatAsksItself:
    def test_is_answered_with_any_value_where_its_call_was_let_go(self, shape: str) -> None:
        ran: list[Any] = []

        @tool
        def book(x: int) -> str:
            "Book."
            ran.append(interrupt("sure?"))
            return "booked"

        entry = {"allowed_decisions": ["approve"], "when": lambda request: request.tool_call["args"]["x"] > 5}
        gate = HumanInTheLoopMiddleware({"book": entry}, interrupt_mode="per_call")
        graph = build_shape(shape, "create_agent", [call("book", "b", x=1)], [book], InMemorySaver(), middleware=[gate])
        graph.invoke(GO, CONFIG)
        assert [one.value for one in hitl.pending(graph, CONFIG)] == ["sure?"]
        hitl.resume(graph, CONFIG, "yes")
        assert ran == ["yes"]
        assert hitl.pending(graph, CONFIG) == []


class TestG11UnusualCalls:
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("x", [math.nan, [math.nan, {"y": math.nan}], 1])
    @pytest.mark.parametrize("call_id", ["", "p"])
    def test_can_be_approved_and_run_once(self, mode: str, x: Any, call_id: str) -> None:
        pay = Pay()
        message = AIMessage("", tool_calls=[{"name": "pay", "args": {"x": x}, "id": call_id, "type": "tool_call"}])
        graph = create_agent(
            ScriptedChatModel(script=[message, "end"]),
            [pay.tool],
            middleware=[GATES[mode]()],
            checkpointer=InMemorySaver(),
        )
        graph.invoke(GO, CONFIG)
        hitl.resume(graph, CONFIG, YES)
        assert repr(pay.ran) == repr([x])
        assert hitl.pending(graph, CONFIG) == []
        answered(graph)


class TestG12AnotherFormThatIsEqual:
    @pytest.mark.parametrize(
        ("before", "after"), [(1, True), (0, False), (1, 1.0), ([1], [True]), ({"a": 1}, {"a": True})]
    )
    def test_is_asked_about_again(self, gate: Any, before: Any, after: Any) -> None:
        def turn(x: Any) -> AIMessage:
            return AIMessage("", id="m", tool_calls=[{"name": "pay", "args": {"x": x}, "id": "p", "type": "tool_call"}])

        pay = Pay()
        graph = create_agent(
            ScriptedChatModel(script=[turn(before), "end"]), [pay.tool], middleware=[gate], checkpointer=InMemorySaver()
        )
        graph.invoke(GO, CONFIG)
        with suppress(hitl.AnswerError):
            graph.invoke(Command(update={"messages": [turn(after)]}, resume=YES), CONFIG)
        if gate.interrupt_mode == "per_call":  # the task was sent the call in the form that was shown
            assert repr(pay.ran) == repr([before])
            return
        assert pay.ran == []
        assert repr([one.args for one in hitl.pending(graph, CONFIG)]) == repr([{"x": after}])
        hitl.resume(graph, CONFIG, YES)
        assert repr(pay.ran) == repr([after])


class TestG13AMiddlewareThatEndsTheTurn:
    @pytest.mark.xfail(
        reason="langchain's limit answers every call of the message, also one that the gate has answered; "
        "ends when the gate's messages are given where the tools run",
        strict=True,
    )
    def test_every_call_is_answered_once(self) -> None:
        pay = Pay()
        graph = langchain_create_agent(
            ScriptedChatModel(script=[[call("pay", "p", x=1), call("pay", "q", x=2)], "end"]), [pay.tool],
            middleware=[ToolCallLimitMiddleware(run_limit=1, exit_behavior="end"), GATES["batched"]()],
            checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        waiting = hitl.pending(graph, CONFIG)
        decisions = {one.tool_call_id: NO[0] if place == 0 else YES[0] for place, one in enumerate(waiting)}
        with suppress(hitl.AnswerError):
            hitl.resume(graph, CONFIG, {"decisions": decisions})
        finish(graph)
        answered(graph)
        assert 1 not in pay.ran
        assert len(pay.ran) <= 1


class TestG14TwoGates:
    def test_an_edit_by_the_first_that_the_second_approves_runs_or_the_build_is_refused(self) -> None:
        class Second(HumanInTheLoopMiddleware):
            pass

        def agent(make: Any) -> Any:
            return make(
                ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool],
                middleware=[HumanInTheLoopMiddleware({"pay": True}), Second({"pay": True})],
                checkpointer=InMemorySaver(),
            )  # fmt: skip

        pay = Pay()
        with pytest.raises(ValueError, match="HumanInTheLoopMiddleware"):
            agent(create_agent)
        graph = agent(langchain_create_agent)
        with suppress(ValueError):
            graph.invoke(GO, CONFIG)
            hitl.resume(graph, CONFIG, EDIT)
            assert pay.ran == []
            hitl.resume(graph, CONFIG, YES)
            assert pay.ran == [2]
            assert "paid 2" in answered(graph)["p"]
        assert 1 not in pay.ran


class TestG15AWrongAnswerThroughTheServer:
    def test_leaves_the_thread_interrupted_and_says_what_was_wrong(self, shape: str, gate: Any) -> None:
        self.check("yes", shape, gate)

    @pytest.mark.parametrize(
        "wrong", [True, [], {"decisions": "x"}, [{"type": "nope"}], {"type": []}, [None], {"a": 1}]
    )
    def test_so_does_every_other_wrong_answer(self, gate: Any, wrong: Any) -> None:
        self.check(wrong, "alone", gate)

    def check(self, wrong: Any, shape: str, gate: Any) -> None:
        pay = Pay()
        graph = build_shape(
            shape, "create_agent", [call("pay", "p", x=1)], [pay.tool], InMemorySaver(), middleware=[gate]
        )
        graph.invoke(GO, CONFIG)
        result = graph.invoke(Command(resume=wrong), CONFIG)
        (shown,) = result["__interrupt__"]
        value = shown.value[0] if isinstance(shown.value, (list, tuple)) else shown.value
        assert isinstance(value["error"], str)
        assert value["error"]
        state = graph.get_state(CONFIG)
        assert [task.error for task in state.tasks] == [None]
        assert state.tasks[0].interrupts
        hitl.resume(graph, CONFIG, YES)
        assert pay.ran == [1]


class TestG16ARemoteGraph:
    def test_shows_what_waits_and_takes_answers(self) -> None:
        remote, pay = remote_graph()
        remote.invoke(GO, CONFIG)
        (waiting,) = hitl.pending(remote, CONFIG)
        assert (waiting.tool, waiting.args, waiting.tool_call_id) == ("pay", {"x": 1}, "p")
        with pytest.raises(hitl.AnswerError):
            hitl.resume(remote, CONFIG, "yes")
        hitl.resume(remote, CONFIG, {"decisions": {"p": YES[0]}})
        assert pay.ran == [1]
        assert hitl.pending(remote, CONFIG) == []
        with pytest.raises(hitl.AnswerError):
            hitl.resume(remote, CONFIG, YES)

    async def test_async(self) -> None:
        remote, pay = remote_graph()
        await remote.ainvoke(GO, CONFIG)
        (waiting,) = await hitl.apending(remote, CONFIG)
        await hitl.aresume(remote, CONFIG, {"decisions": {waiting.tool_call_id: YES[0]}})
        assert pay.ran == [1]
        assert await hitl.apending(remote, CONFIG) == []


def remote_graph() -> tuple[Any, Pay]:
    """A `RemoteGraph` whose client is answered by an agent of this process, through JSON as on a server."""
    from langgraph.pregel.remote import RemoteGraph

    pay = Pay()
    agent = create_agent(
        ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool], interrupt_on={"pay": True},
        checkpointer=InMemorySaver(),
    )  # fmt: skip
    return RemoteGraph("agent", sync_client=Client(agent), client=AsyncClient(agent)), pay


def as_json(value: Any) -> Any:
    return json.loads(
        json.dumps(value, default=lambda one: one.model_dump() if hasattr(one, "model_dump") else str(one))
    )


class Client:
    """The two calls of the SDK's sync client that reading and answering need."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.threads = self.runs = self

    def get_state(self, thread_id: str, **_: Any) -> Any:
        state = self.graph.get_state({"configurable": {"thread_id": thread_id}}, subgraphs=True)
        tasks = [
            {
                "id": task.id,
                "name": task.name,
                "error": str(task.error) if task.error else None,
                "interrupts": [{"value": one.value, "id": one.id} for one in task.interrupts],
                "checkpoint": None,
                "state": None,
                "result": task.result,
            }
            for task in state.tasks
        ]
        found = {
            "values": state.values, "next": list(state.next), "tasks": tasks, "metadata": state.metadata or {},
            "checkpoint": {"checkpoint_ns": "", "checkpoint_id": None, **state.config["configurable"]},
            "created_at": state.created_at, "parent_checkpoint": None,
        }  # fmt: skip
        return as_json(found)

    def stream(self, thread_id: str, *, input: Any = None, command: Any = None, **_: Any) -> Iterator[Any]:
        from langgraph_sdk.schema import StreamPart

        given = input if command is None else Command(**{k: v for k, v in as_json(command).items() if v})
        result = self.graph.invoke(given, {"configurable": {"thread_id": thread_id}})
        yield StreamPart("values", as_json({key: value for key, value in result.items() if key != "__interrupt__"}))


class AsyncClient:
    """Async twin of `Client`."""

    def __init__(self, graph: Any) -> None:
        self.client = Client(graph)
        self.threads = self.runs = self

    async def get_state(self, thread_id: str, **options: Any) -> Any:
        return self.client.get_state(thread_id, **options)

    async def stream(self, thread_id: str, **options: Any) -> Any:
        for part in self.client.stream(thread_id, **options):
            yield part


class TestG17ToolsThatMiddlewareBrings:
    @pytest.mark.parametrize("version", ["v1", "v2"])
    def test_are_gated_in_an_agent_that_has_no_others(self, version: Any) -> None:
        pay = Pay()

        class Brings(AgentMiddleware[Any, Any]):
            tools = [pay.tool]

        graph = create_react_agent(
            ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [], version=version, middleware=[Brings()],
            interrupt_on={"pay": True}, checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        assert pay.ran == []
        hitl.resume(graph, CONFIG, YES)
        assert pay.ran == [1]


@needs_deepagents
class TestG18AGateOfADeepAgent:
    def test_may_name_a_tool_that_only_a_sub_agent_has_and_is_inherited(self) -> None:
        pay = Pay()
        worker: Any = {
            "name": "worker", "description": "Works.", "system_prompt": "Work.", "tools": [pay.tool],
            "model": ScriptedChatModel(script=[call("pay", "p", x=1), "end"]),
        }  # fmt: skip
        asks = ScriptedChatModel(script=[call("task", "t", description="go", subagent_type="worker"), "end"])
        graph = build(
            "create_deep_agent", asks, [], subagents=[worker], interrupt_on={"pay": True}, checkpointer=InMemorySaver()
        )
        graph.invoke(GO, CONFIG)
        assert [one.tool for one in hitl.pending(graph, CONFIG)] == ["pay"]
        assert pay.ran == []
        hitl.resume(graph, CONFIG, YES)
        assert pay.ran == [1]


class TestG19AHandlerCalledTwice:
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("outside", [True, False])
    @pytest.mark.parametrize("make", [create_agent, langchain_create_agent])
    async def test_the_second_call_returns_the_first_result(self, mode: str, outside: bool, make: Any) -> None:
        results: list[Any] = []

        class Twice(AgentMiddleware[Any, Any]):
            def wrap_tool_call(self, request: Any, handler: Any) -> Any:
                results.extend([handler(request).content, handler(request).content])
                return handler(request)

            async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
                results.extend([(await handler(request)).content, (await handler(request)).content])
                return await handler(request)

        if make is langchain_create_agent and not outside:
            pytest.skip(
                "langchain's create_agent has nothing of agentkit's behind middleware that stands inside the gate"
            )
        for is_async in (False, True):
            pay = Pay()
            middleware = [Twice(), GATES[mode]()] if outside else [GATES[mode](), Twice()]
            graph = make(
                ScriptedChatModel(script=[call("pay", "p", x=1), "end"]), [pay.tool], middleware=middleware,
                checkpointer=InMemorySaver(),
            )  # fmt: skip
            results.clear()
            if is_async:
                await graph.ainvoke(GO, CONFIG)
                await hitl.aresume(graph, CONFIG, YES)
            else:
                graph.invoke(GO, CONFIG)
                hitl.resume(graph, CONFIG, YES)
            assert pay.ran == [1]
            assert results == ["paid 1", "paid 1"]
            assert answered(graph) == {"p": "paid 1"}


class TestG20EditsThatDoNotFit:
    def agent(self, mode: str) -> tuple[Any, list[Any]]:
        ran: list[Any] = []

        @tool
        def send(to: str) -> str:
            "Send."
            ran.append(("send", to))
            return "sent"

        @tool
        def look(x: int) -> str:
            "Look."
            ran.append(("look", x))
            return "seen"

        graph = create_agent(
            ScriptedChatModel(script=[call("send", "s", to="ann"), "end"]), [send, look],
            middleware=[HumanInTheLoopMiddleware({"send": True}, interrupt_mode=mode)], checkpointer=InMemorySaver(),
        )  # fmt: skip
        graph.invoke(GO, CONFIG)
        return graph, ran

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize(
        ("name", "args"), [("send", {"to": 5}), ("send", {}), ("look", {"x": "no number"}), ("look", {"x": 1})]
    )
    def test_are_asked_about_again_with_the_reason(self, mode: str, name: str, args: Any) -> None:
        if (mode, name, args) == ("batched", "look", {"x": 1}):
            pytest.skip("batched edits may name another tool of the agent")
        graph, ran = self.agent(mode)
        edit = {"type": "edit", "edited_action": {"name": name, "args": args}}
        with pytest.raises(hitl.AnswerError):
            hitl.resume(graph, CONFIG, [edit])
        assert ran == []
        graph.invoke(Command(resume={"decisions": [edit]} if mode == "batched" else edit), CONFIG)
        assert ran == []
        (again,) = hitl.pending(graph, CONFIG)
        assert again.args == {"to": "ann"}
        assert again.value["error"]
        hitl.resume(graph, CONFIG, [{"type": "edit", "edited_action": {"name": "send", "args": {"to": "bob"}}}])
        assert ran == [("send", "bob")]
        answered(graph)
