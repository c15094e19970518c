"""ValidationMiddleware checks calls before tools run, and asks the model again a bounded number of times."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, Field, create_model

from agentkit.agents import create_agent
from agentkit.middleware import ToolCallsInvalidError, ValidationMiddleware
from agentkit.prebuilt import InjectedState, ToolNode, ValidationNode, create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedToolCallId, tool
from tests.tool_parts import asks, is_error
from tests.ways import Sync, both_ways


class Transfer(BaseModel):
    """Send money."""

    amount: int = Field(ge=1, le=100)


@pytest.fixture
def ran() -> list[int]:
    """The amounts that were sent."""
    return []


@pytest.fixture
def transfer(ran: list[int]) -> Any:
    # The tool itself takes any number: only the middleware stands between 500 and the money.
    def transfer(amount: int) -> str:
        """Send money."""
        ran.append(amount)
        return f"sent {amount}"

    return transfer


# A schema is found by the name of its tool.
transfer_rules = create_model("transfer", __base__=Transfer)

BUILDERS = {
    "create_agent": create_agent,
    "create_react_agent": create_react_agent,
    "create_react_agent v1": lambda *args, **kwargs: create_react_agent(*args, version="v1", **kwargs),
}
all_agents = pytest.mark.parametrize("build", BUILDERS.values(), ids=list(BUILDERS))
GO = {"messages": [("user", "go")]}


@both_ways
@all_agents
def test_a_wrong_call_does_not_run_and_the_model_reads_why_and_corrects_it(
    way: Any, build: Any, transfer: Any, ran: Any
) -> None:
    model = ScriptedChatModel(script=[call("transfer", amount=500), call("transfer", amount=50), "done"])
    agent = build(model, [transfer], middleware=[ValidationMiddleware([transfer_rules])])
    messages = way.invoke(agent, GO)["messages"]
    assert ran == [50]
    assert [m.type for m in messages] == ["human", "ai", "tool", "ai", "tool", "ai"]
    assert is_error(messages[2])
    told = model.calls[1].messages[-1]
    assert "less than or equal to 100" in told.content
    assert told.tool_call_id == "call_0_0"
    assert messages[4].content == "sent 50"


@both_ways
@all_agents
def test_of_parallel_calls_the_valid_ones_run_and_the_wrong_ones_are_answered(
    way: Any, build: Any, transfer: Any, ran: Any
) -> None:
    calls = [call("transfer", amount=500), call("transfer", amount=7), call("transfer", amount=0)]
    model = ScriptedChatModel(script=[calls, "done"])
    agent = build(model, [transfer], middleware=[ValidationMiddleware([transfer_rules])])
    messages = way.invoke(agent, GO)["messages"]
    assert ran == [7]
    answers = {m.tool_call_id: is_error(m) for m in messages if m.type == "tool"}
    assert answers == {"call_0_0": True, "call_0_1": False, "call_0_2": True}
    assert messages[-1].content == "done"


@both_ways
@all_agents
@pytest.mark.parametrize("max_retries", [0, 1, 2, 3])
def test_a_model_that_never_corrects_itself_is_stopped_after_max_retries(
    way: Any, build: Any, transfer: Any, ran: Any, max_retries: int
) -> None:
    model = ScriptedChatModel(script=[call("transfer", amount=500)] * 20)
    agent = build(model, [transfer], middleware=[ValidationMiddleware([transfer_rules], max_retries=max_retries)])
    with pytest.raises(ToolCallsInvalidError, match=rf"still not valid after {max_retries} retries") as caught:
        way.invoke(agent, GO)
    assert f"transfer (call_{max_retries}_0)" in str(caught.value)
    assert "less than or equal to 100" in str(caught.value)
    assert len(model.calls) == max_retries + 1
    assert ran == []


@both_ways
@all_agents
def test_the_count_starts_anew_after_a_valid_turn(way: Any, build: Any, transfer: Any, ran: Any) -> None:
    wrong, right = call("transfer", amount=500), call("transfer", amount=5)
    model = ScriptedChatModel(script=[wrong, right, wrong, right, wrong, right, "done"])
    agent = build(model, [transfer], middleware=[ValidationMiddleware([transfer_rules], max_retries=1)])
    assert way.invoke(agent, GO)["messages"][-1].content == "done"
    assert ran == [5, 5, 5]


@both_ways
def test_calls_without_a_schema_are_left_alone(way: Any, transfer: Any, ran: Any) -> None:
    def other(anything: str) -> str:
        """Other."""
        return anything

    model = ScriptedChatModel(script=[[call("other", anything="x"), call("nobody")], "done"])
    agent = create_agent(model, [transfer, other], middleware=[ValidationMiddleware([transfer_rules])])
    contents = [m.content for m in way.invoke(agent, GO)["messages"] if m.type == "tool"]
    assert contents[0] == "x"
    assert "nobody is not a valid tool" in contents[1]  # the tools node's own answer


@both_ways
def test_format_error_writes_what_the_model_reads(way: Any, transfer: Any) -> None:
    model = ScriptedChatModel(script=[call("transfer", amount=500), "sorry"])
    guard = ValidationMiddleware([transfer_rules], format_error=lambda error, tool_call, schema: "at most 100")
    way.invoke(create_agent(model, [transfer], middleware=[guard]), GO)
    assert model.calls[1].messages[-1].content == "at most 100"


@both_ways
def test_tools_and_functions_serve_as_schemas_and_injected_parameters_are_not_asked_for(way: Any) -> None:
    model = ScriptedChatModel(script=[call("look", x="?"), call("look", x=1), "done"])

    @tool
    def look(x: int, state: Annotated[dict, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
        """Look."""
        return f"{x} {len(state['messages'])} {tool_call_id}"

    agent = create_agent(model, [look], middleware=[ValidationMiddleware([look])])
    messages = way.invoke(agent, GO)["messages"]
    assert is_error(messages[2])
    assert messages[4].content == "1 4 call_1_0"


@both_ways
def test_the_error_is_seen_in_the_stream_under_the_middlewares_own_node(way: Any, transfer: Any) -> None:
    model = ScriptedChatModel(script=[call("transfer", amount=500), "sorry"])
    agent = create_agent(model, [transfer], middleware=[ValidationMiddleware([transfer_rules])])
    updates = way.stream(agent, GO, stream_mode="updates")
    nodes = [node for update in updates for node in update]
    assert nodes == ["model", "ValidationMiddleware.after_model", "model", "ValidationMiddleware.after_model"]
    [error] = updates[1]["ValidationMiddleware.after_model"]["messages"]
    assert is_error(error)


@both_ways
@pytest.mark.parametrize("build", [create_agent, create_react_agent])
def test_retries_are_counted_across_a_restart_from_sqlite(
    way: Any, build: Any, transfer: Any, ran: Any, tmp_path: Path
) -> None:
    """Each model call runs in a new "process": a new saver on the file, a new model, a new agent."""
    config = {"configurable": {"thread_id": "t"}}
    node = "model" if build is create_agent else "agent"

    def make(saver: Any) -> Any:
        model = ScriptedChatModel(script=[call("transfer", amount=500)] * 20)
        guard = ValidationMiddleware([transfer_rules], max_retries=2)
        return build(model, [transfer], middleware=[guard], checkpointer=saver, interrupt_before=[node])

    def step(value: Any) -> None:
        way.invoke_stored(tmp_path / "t.sqlite", make, value, config)

    step(GO)  # pauses before the first model call
    step(None)  # wrong, asked again: 1
    step(None)  # wrong, asked again: 2
    with pytest.raises(ToolCallsInvalidError, match="after 2 retries"):
        step(None)
    assert ran == []


def test_max_retries_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="`max_retries` was given -1"):
        ValidationMiddleware([Transfer], max_retries=-1)


def test_a_conversation_goes_on_after_the_model_was_stopped() -> None:
    def transfer(amount: int) -> str:
        """Send money."""
        return f"sent {amount}"

    model = ScriptedChatModel(script=[call("transfer", amount=500), call("transfer", amount=500), "unused"])
    guard = ValidationMiddleware([transfer_rules], max_retries=0)
    agent = create_agent(model, [transfer], middleware=[guard], checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    with pytest.raises(ToolCallsInvalidError):
        Sync.invoke(agent, GO, config)
    model.script = [call("transfer", amount=500), "hello"]
    answered = {"messages": [ToolMessage("cancelled", tool_call_id="call_0_0"), HumanMessage("never mind")]}
    assert Sync.invoke(agent, answered, config)["messages"][-1].content == "hello"


def test_validation_of_the_middleware_and_of_the_tool_node_agree() -> None:
    """What the middleware lets through is what the tool's own schema takes."""

    @tool(args_schema=Transfer)
    def transfer(amount: int) -> str:
        """Send money."""
        return f"sent {amount}"

    for amount in (0, 1, 100, 101, "x", None):
        direct = ToolNode([transfer]).invoke([call("transfer", id="1", amount=amount)])["messages"][0]
        [checked] = ValidationNode([transfer]).invoke([asks(call("transfer", amount=amount))])
        assert (direct.status == "error") == is_error(checked), amount
