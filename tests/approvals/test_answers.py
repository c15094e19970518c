"""What a person may send back, and what it does."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.types import Command

from agentkit.hitl import AnswerError
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import call

from .conftest import Bench, results

TWO = [[call("send", "c1", x=1), call("send", "c2", x=2), call("look", "c3", x=3)], "end"]


def edit(name: str, **args: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


@pytest.mark.parametrize(
    ("answer", "ran", "status", "words"),
    [
        ([{"type": "accept"}], [("send", 1)], "success", "sent 1"),
        ({"type": "accept", "args": None}, [("send", 1)], "success", "sent 1"),
        ([{"type": "accept", "args": {"action": "send", "args": {"x": 99}}}], [("send", 1)], "success", "sent 1"),
        ([{"type": "ignore"}], [], "error", "not executed"),
        ([{"type": "ignore", "args": None}], [], "error", "not executed"),
        ([{"type": "response", "args": "use 5"}], [], "success", "use 5"),
        ([{"type": "edit", "args": {"action": "send", "args": {"x": 7}}}], [("send", 7)], "success", "sent 7"),
        ({"decisions": [{"type": "approve"}]}, [("send", 1)], "success", "sent 1"),
        ({"decisions": {"c1": {"type": "approve"}}}, [("send", 1)], "success", "sent 1"),
        ({"decisions": [{"type": "accept"}]}, [("send", 1)], "success", "sent 1"),
        ([{"type": "approve"}], [("send", 1)], "success", "sent 1"),
        ({"type": "approve"}, [("send", 1)], "success", "sent 1"),
        ({"decisions": [edit("send", x=7)]}, [("send", 7)], "success", "sent 7"),
        ({"decisions": [edit("look", x=7)]}, [("look", 7)], "success", "seen 7"),
        ({"decisions": [{"type": "respond", "message": "use 5"}]}, [], "success", "use 5"),
    ],
)
async def test_each_form_of_answer_does_what_it_says(
    kind: str, simple: Bench, answer: Any, ran: Any, status: str, words: str
) -> None:
    simple.kind = kind
    agent = simple.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
    await simple.invoke(agent)
    result = await simple.answer(agent, answer)
    assert simple.ran == ran
    assert results(result)["c1"][0] == status
    assert words in results(result)["c1"][1]
    assert result["messages"][-1].content == "end"


@pytest.mark.parametrize("interrupt_mode", ["batched", "per_call"])
@pytest.mark.parametrize("schema", ["hitl", "human_interrupt"])
@pytest.mark.parametrize("checked", [False, True])
async def test_ignore_is_a_rejection_even_where_it_was_not_offered(
    simple: Bench, interrupt_mode: Any, schema: Any, checked: bool
) -> None:
    gates = {"send": {"allowed_decisions": ["approve"]}}
    gate = HumanInTheLoopMiddleware(gates, interrupt_mode=interrupt_mode, schema=schema)
    agent = simple.agent([call("send", "c1", x=1), "end"], middleware=[gate], interrupt_on={"look": True})
    await simple.invoke(agent)
    result = await (simple.resume if checked else simple.answer)(agent, [{"type": "ignore"}])
    assert (simple.ran, results(result)["c1"][0]) == ([], "error")


@pytest.mark.parametrize("message", [None, "no"])
async def test_a_rejection_tells_the_model_that_nothing_ran_and_what_the_reviewer_said(
    bench: Bench, message: str | None
) -> None:
    agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
    await bench.invoke(agent)
    decision = {"type": "reject"} if message is None else {"type": "reject", "message": message}
    result = await bench.answer(agent, {"decisions": [decision]})
    status, content = results(result)["c1"]
    assert bench.ran == []
    assert status == "error"
    assert "The tool was not executed." in content
    assert content.startswith(
        "User rejected the tool call for `send` with " + ("id c1" if message is None else "reason: no")
    )


@pytest.mark.parametrize("order", [("c1", "c2"), ("c2", "c1")])
async def test_of_two_equal_calls_the_approved_one_runs(bench: Bench, order: tuple[str, str]) -> None:
    agent = bench.agent([[call("send", "c1", x=1), call("send", "c2", x=1)], "end"], interrupt_on={"send": True})
    await bench.invoke(agent)
    yes, no = order
    agent = await bench.restart()
    result = await bench.answer(agent, {"decisions": {no: {"type": "reject"}, yes: {"type": "approve"}}})
    assert bench.ran == [("send", 1)]
    assert {key: status for key, (status, _) in results(result).items()} == {yes: "success", no: "error"}


WRONG = [
    ({"decisions": [{"type": "approve"}]}, "1 decisions were given for 2 tool calls.*c1.*c2"),
    ({"decisions": [{"type": "approve"}] * 3}, "3 decisions were given for 2"),
    ({"decisions": []}, "0 decisions"),
    ([{"type": "accept"}], "1 decisions were given for 2"),
    ({"type": "accept"}, "1 decisions were given for 2"),
    ({"decisions": {"c1": {"type": "approve"}}}, "no decision for 'c2'"),
    ({"decisions": {"c1": {"type": "approve"}, "c9": {"type": "approve"}}}, "no tool call 'c9' waits"),
    ({"decisions": {"c3": {"type": "approve"}}}, "no tool call 'c3' waits"),
    ("yes", "'yes' is not an answer"),
    (True, "True is not an answer"),
    ({"approve": True}, "is not an answer"),
    ({"decisions": "approve"}, "is not an answer"),
    ({"decisions": [{"type": "approve"}, {"type": "aprove"}]}, "'aprove' is not a decision for c2"),
    ({"decisions": [{"type": "approve"}, {}]}, "None is not a decision"),
    ({"decisions": [{"type": "approve"}, "approve"]}, "'approve' is not a decision"),
    ({"decisions": [{"type": "approve"}, {"type": "edit"}]}, "not a HumanResponse"),
    ({"decisions": [{"type": "approve"}, {"type": "edit", "edited_action": {"name": "send"}}]}, "whole call"),
    ({"decisions": [{"type": "approve"}, edit("sned", x=1)]}, "no tool is named 'sned'.*Did you mean 'send'"),
    ({"decisions": [{"type": "approve"}, edit("delete_file", x=1)]}, "'delete_file' may not be approved"),
    ({"decisions": [{"type": "approve"}, {"type": "respond"}]}, "must be text"),
    ({"decisions": [{"type": "approve"}, {"type": "reject", "message": 5}]}, "must be text"),
    ([{"type": "accept"}, {"type": "response", "args": None}], "not a HumanResponse"),
    ([{"type": "accept"}, {"type": "edit", "args": "send"}], "not a HumanResponse"),
]


@pytest.mark.parametrize(("answer", "message"), WRONG)
async def test_a_wrong_answer_is_a_clear_error_and_the_right_one_still_works(
    simple: Bench, answer: Any, message: str
) -> None:
    gates = {"send": True, "delete_file": {"allowed_decisions": ["reject"]}}
    agent = simple.agent(TWO, interrupt_on=gates)
    await simple.invoke(agent)
    for _ in range(2):
        await simple.refused(agent, answer, message)
        assert simple.ran == []
        assert len(await simple.pending(agent)) == 2
    await simple.answer(agent, {"decisions": [{"type": "approve"}, {"type": "reject"}]})
    assert sorted(simple.ran) == [("look", 3), ("send", 1)]


@pytest.mark.parametrize("addressed", [False, True])
async def test_after_a_wrong_answer_the_next_one_counts_also_in_a_new_process(bench: Bench, addressed: bool) -> None:
    gates = {"send": True, "delete_file": {"allowed_decisions": ["reject"]}}
    agent = bench.agent(TWO, interrupt_on=gates)
    result = await bench.invoke(agent)
    key = result["__interrupt__"][0].id

    def to(answer: Any) -> Any:
        return {key: answer} if addressed else answer

    for wrong in ([{"type": "accept"}], {"decisions": [{"type": "approve"}, edit("delete_file", x=1)]}):
        await bench.refused(agent, to(wrong))
        agent = await bench.restart()
        assert bench.ran == []
        assert [action.tool_call_id for action in await bench.pending(agent)] == ["c1", "c2"]
    await bench.answer(agent, to({"decisions": [{"type": "reject"}, {"type": "approve"}]}))
    assert sorted(bench.ran) == [("look", 3), ("send", 2)]


async def test_a_decision_that_the_gate_does_not_offer_is_refused(bench: Bench) -> None:
    agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": {"allowed_decisions": ["reject"]}})
    await bench.invoke(agent)
    for answer in ([{"type": "accept"}], [edit("send", x=2)], [{"type": "respond", "message": "x"}]):
        await bench.refused(agent, answer, r"is not allowed for c1 \(send\). Allowed: reject")
    await bench.answer(agent, [{"type": "reject"}])
    assert bench.ran == []


async def test_an_edit_runs_as_edited_and_the_model_is_told(bench: Bench) -> None:
    agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
    await bench.invoke(agent)
    agent = await bench.restart()
    result = await bench.answer(agent, {"decisions": [edit("send", x=7)]})
    assert bench.ran == [("send", 7)]
    assert result["messages"][1].tool_calls[0]["args"] == {"x": 1}
    content = results(result)["c1"][1]
    assert 'Executed instead: send with arguments {"x": 7}' in content
    assert content.endswith("sent 7")


async def test_an_edit_into_a_tool_whose_gate_waits_only_sometimes_is_judged_by_that_gate(simple: Bench) -> None:
    gates = {
        "send": True,
        "delete_file": {"allowed_decisions": ["reject"], "when": lambda r: r.tool_call["args"]["x"] > 5},
    }
    agent = simple.agent([call("send", "c1", x=1), "end"], interrupt_on=gates)
    await simple.invoke(agent)
    await simple.refused(agent, [edit("delete_file", x=6)], "may not be approved")
    await simple.answer(agent, [edit("delete_file", x=5)])
    assert simple.ran == [("delete_file", 5)]


async def test_an_approved_call_runs_once_when_the_answer_is_sent_twice(bench: Bench) -> None:
    agent = bench.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
    await bench.invoke(agent)
    await bench.resume(agent, [{"type": "approve"}])
    agent = await bench.restart()
    with pytest.raises(AnswerError, match="nothing waits"):
        await bench.resume(agent, [{"type": "approve"}])
    await bench.answer(agent, {"decisions": [{"type": "approve"}]})
    assert bench.ran == [("send", 1)]


async def test_an_answer_kept_by_id_is_not_taken_for_a_later_pause(bench: Bench) -> None:
    agent = bench.agent([call("send", "c1", x=1), call("send", "c2", x=2), "end"], interrupt_on={"send": True})
    await bench.invoke(agent)
    answer = {"decisions": {"c1": {"type": "approve"}}}
    await bench.answer(agent, answer)
    await bench.refused(agent, answer, "no tool call 'c1' waits")
    assert bench.ran == [("send", 1)]
    await bench.answer(agent, {"decisions": {"c2": {"type": "approve"}}})
    assert bench.ran == [("send", 1), ("send", 2)]


async def test_an_answer_to_a_pause_that_is_over_is_an_error_that_names_what_waits(bench: Bench) -> None:
    agent = bench.agent([call("send", "c1", x=1), call("send", "c2", x=2), "end"], interrupt_on={"send": True})
    first = (await bench.invoke(agent))["__interrupt__"][0].id
    second = (await bench.resume(agent, {first: [{"type": "approve"}]}))["__interrupt__"][0].id
    for stale in (first, "0" * 32):
        with pytest.raises(AnswerError, match=f"{stale}.*Waiting: {second}"):
            await bench.resume(agent, {stale: [{"type": "approve"}]})
    assert bench.ran == [("send", 1)]


async def test_legacy_requests_come_one_call_at_a_time(bench: Bench) -> None:
    middleware = [HumanInTheLoopMiddleware({"send": True}, schema="human_interrupt")]
    agent = bench.agent(TWO, middleware=middleware, interrupt_on={"delete_file": True})
    asked = []
    result = await bench.invoke(agent)
    for answer in ({"type": "ignore", "args": None}, {"type": "accept", "args": None}):
        (request,) = result["__interrupt__"][0].value
        asked.append(request["action_request"])
        await bench.refused(agent, [answer, answer])
        agent = await bench.restart()
        result = await bench.answer(agent, [answer])
    assert asked == [{"action": "send", "args": {"x": 1}}, {"action": "send", "args": {"x": 2}}]
    assert sorted(bench.ran) == [("look", 3), ("send", 2)]


async def test_a_gate_added_between_pause_and_answer_holds_back_the_call_it_covers(bench: Bench) -> None:
    agent = bench.agent(TWO, interrupt_on={"send": True})
    await bench.invoke(agent)
    agent = bench.agent(TWO, interrupt_on={"send": True, "look": True})
    result = await bench.answer(agent, {"decisions": [{"type": "approve"}, {"type": "approve"}]})
    assert sorted(bench.ran) == [("send", 1), ("send", 2)]
    assert results(result)["c3"][0] == "error"


async def test_a_thread_paused_by_langchains_own_middleware_is_answered_by_this_one(simple: Bench) -> None:
    from langchain.agents.middleware import HumanInTheLoopMiddleware as StockMiddleware

    agent = simple.agent(TWO, middleware=[StockMiddleware({"send": True})])
    await simple.invoke(agent)
    agent = simple.agent(TWO, interrupt_on={"send": True})
    await simple.resume(agent, [{"type": "reject"}, {"type": "approve"}])
    assert sorted(simple.ran) == [("look", 3), ("send", 2)]


class TestPerCall:
    """One pause for each call, answered one by one."""

    @pytest.fixture(params=["create_agent", "react-v2", "create_deep_agent"])
    def kind(self, request: pytest.FixtureRequest) -> str:
        return request.param

    @pytest.fixture(params=["hitl", "human_interrupt"])
    def schema(self, request: pytest.FixtureRequest) -> str:
        return request.param

    def agent(self, bench: Bench, schema: Any = "hitl", **config: Any) -> Any:
        gate = HumanInTheLoopMiddleware({"send": config or True}, interrupt_mode="per_call", schema=schema)
        return bench.agent(TWO, middleware=[gate], interrupt_on={"delete_file": {"allowed_decisions": ["reject"]}})

    async def test_each_call_is_answered_by_itself(self, bench: Bench, schema: str) -> None:
        agent = self.agent(bench, schema)
        result = await bench.invoke(agent)
        assert len(result["__interrupt__"]) == 2
        assert bench.ran == [("look", 3)]
        by_call = {action.tool_call_id: action.interrupt_id for action in await bench.pending(agent)}
        agent = await bench.restart()
        await bench.resume(agent, {by_call["c2"]: {"type": "approve"}})
        assert bench.ran == [("look", 3), ("send", 2)]
        result = await bench.resume(agent, {"decisions": {"c1": {"type": "reject", "message": "no"}}})
        assert bench.ran == [("look", 3), ("send", 2)]
        assert results(result)["c1"][0] == "error"
        assert result["messages"][-1].content == "end"

    async def test_a_wrong_answer_leaves_the_call_waiting(self, bench: Bench, schema: str) -> None:
        agent = self.agent(bench, schema)
        await bench.invoke(agent)
        by_call = {action.tool_call_id: action.interrupt_id for action in await bench.pending(agent)}
        for wrong in ({"type": "aprove"}, edit("delete_file", x=1), edit("sned", x=1), {"decisions": []}, "x"):
            await bench.refused(agent, {by_call["c1"]: wrong})
            agent = await bench.restart()
            assert bench.ran == [("look", 3)]
        await bench.answer(agent, {by_call["c1"]: edit("send", x=7), by_call["c2"]: [{"type": "accept"}]})
        assert sorted(bench.ran) == [("look", 3), ("send", 2), ("send", 7)]

    async def test_the_verdict_of_a_when_holds(self, bench: Bench) -> None:
        verdicts = {"c1": iter([True, False, False]), "c2": iter([True, False, False])}
        agent = self.agent(
            bench,
            allowed_decisions=["approve", "reject"],
            when=lambda request: next(verdicts[request.tool_call["id"]]),
        )
        await bench.invoke(agent)
        agent = await bench.restart()
        await bench.resume(agent, {"decisions": {"c1": {"type": "reject"}, "c2": {"type": "reject"}}})
        assert bench.ran == [("look", 3)]

    async def test_the_pause_publishes_what_may_be_answered(self, simple: Bench) -> None:
        from agentkit._upstream import INTERRUPT_TAKES_SCHEMA

        if not INTERRUPT_TAKES_SCHEMA:
            pytest.skip("langgraph before 1.2.12 publishes no schema")
        agent = self.agent(simple, allowed_decisions=["approve", "edit"])
        result = await simple.invoke(agent)
        schema = result["__interrupt__"][0].response_schema
        assert [one["title"] for one in schema["oneOf"]] == ["approve", "edit"]
        assert schema["oneOf"][1]["properties"]["edited_action"]["properties"]["args"]["properties"] == {
            "x": {"title": "X", "type": "integer"}
        }


async def test_command_with_an_update_beside_the_answer_is_answered_too(simple: Bench) -> None:
    agent = simple.agent([call("send", "c1", x=1), "end"], interrupt_on={"send": True})
    await simple.invoke(agent)
    await simple.invoke(agent, Command(resume=[{"type": "approve"}], update={"messages": []}))
    assert simple.ran == [("send", 1)]
