"""Requests and answers in both schemas: exact conversions and golden payloads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentkit.hitl import (
    DECISIONS,
    PendingAction,
    approval_to_interrupt,
    command,
    decision_to_response,
    interrupt_to_approval,
    interrupts_to_request,
    pending,
    request_to_interrupts,
    response_to_decision,
)
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import call

from .conftest import Bench

GOLDEN = Path(__file__).parent.parent / "contracts"

args = st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=5), max_size=3)
names = st.text(min_size=1, max_size=8)
allowed = st.lists(st.sampled_from(DECISIONS), unique=True).map(lambda some: [d for d in DECISIONS if d in some])
actions = st.fixed_dictionaries({"name": names, "args": args}, optional={"description": st.text(max_size=9)})
flags = ("allow_accept", "allow_edit", "allow_ignore", "allow_respond")
interrupts = st.fixed_dictionaries(
    {
        "action_request": st.fixed_dictionaries({"action": names, "args": args}),
        "config": st.fixed_dictionaries({flag: st.booleans() for flag in flags}),
        "description": st.none() | st.text(max_size=9),
    }
)
decisions = st.one_of(
    st.just({"type": "approve"}),
    st.just({"type": "reject"}),
    st.builds(lambda m: {"type": "reject", "message": m}, st.text(min_size=1)),
    st.builds(lambda m: {"type": "respond", "message": m}, st.text()),
    st.builds(lambda n, a: {"type": "edit", "edited_action": {"name": n, "args": a}}, names, args),
)


@given(st.lists(st.tuples(actions, allowed), max_size=4))
def test_a_request_survives_the_legacy_schema(some: list[Any]) -> None:
    request = {
        "action_requests": [action for action, _ in some],
        "review_configs": [{"action_name": a["name"], "allowed_decisions": d} for a, d in some],
    }
    assert interrupts_to_request(request_to_interrupts(request)) == request


@given(st.lists(interrupts, max_size=4))
def test_legacy_requests_survive_todays_schema(some: list[Any]) -> None:
    assert request_to_interrupts(interrupts_to_request(some)) == some


@given(names, args, allowed, st.text(max_size=9), names)
def test_a_tool_approval_request_survives_the_legacy_schema(
    name: str, arguments: Any, offered: Any, description: str, call_id: str
) -> None:
    request = {
        "type": "tool_approval",
        "tool_call_id": call_id,
        "name": name,
        "args": arguments,
        "description": description,
        "allowed_decisions": offered,
    }
    assert interrupt_to_approval(approval_to_interrupt(request), call_id) == request


@given(decisions)
def test_a_decision_survives_the_legacy_schema(decision: Any) -> None:
    assert response_to_decision(decision_to_response(decision)) == decision


@pytest.mark.parametrize(
    "wrong", [{}, {"type": "yes"}, {"type": "response"}, {"type": "edit", "args": {"action": "a"}}]
)
def test_what_is_no_answer_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="is not a HumanResponse"):
        response_to_decision(wrong)
    with pytest.raises(ValueError, match="is not a decision"):
        decision_to_response({"type": "yes"})


async def test_review_configs_are_found_by_name_where_the_places_differ() -> None:
    request = {
        "action_requests": [{"name": "a", "args": {}}, {"name": "b", "args": {}}],
        "review_configs": [
            {"action_name": "b", "allowed_decisions": ["reject"]},
            {"action_name": "a", "allowed_decisions": ["approve"]},
        ],
    }
    first, second = request_to_interrupts(request)
    assert (first["config"]["allow_accept"], second["config"]["allow_accept"]) == (True, False)


@pytest.mark.parametrize("schema", ["hitl", "human_interrupt"])
@pytest.mark.parametrize("interrupt_mode", ["batched", "per_call"])
async def test_the_payload_is_the_one_front_ends_were_written_for(
    simple: Bench, schema: Any, interrupt_mode: Any
) -> None:
    gates = {"send": True, "look": {"allowed_decisions": ["approve", "reject"]}}
    gate = HumanInTheLoopMiddleware(gates, schema=schema, interrupt_mode=interrupt_mode)
    script = [[call("send", "c1", x=1), call("look", "c2", x=2)], "end"]
    agent = simple.agent(script, middleware=[gate], interrupt_on={"delete_file": True})
    result = await simple.invoke(agent)
    golden = json.loads((GOLDEN / f"{schema}-{interrupt_mode}.json").read_text())
    values = [found.value for found in result["__interrupt__"]]
    ids = [(value[0] if isinstance(value, list) else value).pop("request_id") for value in values]
    assert len(set(ids)) == len(ids) == len(golden)
    assert sorted(values, key=str) == sorted(golden, key=str)


def action(interrupt_id: str, call_id: str | None, tool: str | None = "send") -> PendingAction:
    return PendingAction(interrupt_id, tool, {}, call_id, DECISIONS, "", (), {"tool_call_ids": [call_id]})


A, B = "a" * 32, "b" * 32
YES = {"type": "approve"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([YES], "2 interrupts wait"),
        ({"decisions": {"c9": YES}}, "'c9' does not wait"),
        ({"decisions": {}}, "no decision was given"),
        ({"c" * 32: [YES]}, "no interrupt"),
        ({A: [YES], "c" * 32: [YES]}, "no interrupt"),
        ({A: [YES, YES]}, "2 decisions were given for 1"),
        ({A: "yes"}, "is not an answer"),
    ],
)
def test_an_answer_to_several_pauses_says_which(answer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        command([action(A, "c1"), action(B, "c2")], answer)


def test_a_call_id_that_waits_twice_must_be_addressed_by_pause() -> None:
    waiting = [action(A, "c1"), action(B, "c1")]
    with pytest.raises(ValueError, match="waits in several interrupts"):
        command(waiting, {"decisions": {"c1": YES}})
    assert command(waiting, {B: [YES]}).resume == {B: {"decisions": [YES]}}


def test_any_value_answers_a_pause_of_the_users_own() -> None:
    waiting = [PendingAction(A, None, {}, None, (), "sure?", (), "sure?")]
    assert command(waiting, "yes").resume == {A: "yes"}
    assert command(waiting, {"approved": True}).resume == {A: {"approved": True}}


async def test_what_waits_carries_its_description(simple: Bench) -> None:
    agent = simple.agent([call("send", "c1", x=1)], interrupt_on={"send": True})
    await simple.invoke(agent)
    (one,) = pending(agent, simple.config)
    assert one.description == "Tool execution requires approval\n\nTool: send\nArgs: {'x': 1}"
    assert (one.args, one.tool_call_id, one.where) == ({"x": 1}, "c1", ())
