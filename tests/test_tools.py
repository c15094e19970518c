"""What a tool may return and do in an agent, as the tool guide tells it, on each of agentkit's agents."""

from __future__ import annotations

import importlib
import json
import operator
from pathlib import Path
from typing import Annotated, Any

import langchain.tools
import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command
from pydantic import BaseModel, Field, model_validator

import agentkit.prebuilt
import agentkit.tools
from agentkit.agents import AgentState, create_agent
from agentkit.prebuilt import chat_agent_executor, create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedState, InjectedToolCallId, ToolRuntime, tool
from tests.ways import both_ways


class LegacyState(chat_agent_executor.AgentState):
    """The fields that the tools of this file write, on the legacy state."""

    current_step: str
    issue_type: str
    last_order_status: str
    visited: Annotated[list[str], operator.add]


class CurrentState(AgentState):
    """The same on today's state."""

    current_step: str
    issue_type: str
    last_order_status: str
    visited: Annotated[list[str], operator.add]


class PydanticState(chat_agent_executor.AgentStatePydantic):
    """The same on the pydantic state; its fields have defaults."""

    current_step: str = "triage"
    issue_type: str = ""
    last_order_status: str = ""
    visited: Annotated[list[str], operator.add] = []


# Bare `ToolRuntime` says that the state is a dict, and pydantic warns (in tracing) where it is not.
Runtime = ToolRuntime[None, Any]


class Kind:
    """One of agentkit's agents: how it is built and what its model node is called."""

    def __init__(self, name: str, create: Any, model_node: str, state: type, **kwargs: Any) -> None:
        self.name, self.create, self.model_node, self.state, self.kwargs = name, create, model_node, state, kwargs

    def build(self, script: list[Any], tools: Any, **kwargs: Any) -> tuple[Any, ScriptedChatModel]:
        model = ScriptedChatModel(script=script)
        return self.create(model, tools, **self.kwargs, **kwargs), model


CURRENT = Kind("create_agent", create_agent, "model", CurrentState)
LEGACY = [
    Kind("create_react_agent-v1", create_react_agent, "agent", LegacyState, version="v1"),
    Kind("create_react_agent-v2", create_react_agent, "agent", LegacyState, version="v2"),
]
PYDANTIC = Kind("create_react_agent-pydantic", create_react_agent, "agent", PydanticState)
each_agent = pytest.mark.parametrize("kind", [CURRENT, *LEGACY], ids=lambda kind: kind.name)
each_state = pytest.mark.parametrize("kind", [CURRENT, *LEGACY, PYDANTIC], ids=lambda kind: kind.name)

GO = {"messages": [("user", "go")]}
THREAD = {"configurable": {"thread_id": "t"}}


def answers(result: Any) -> list[ToolMessage]:
    return [message for message in result["messages"] if isinstance(message, ToolMessage)]


# --- what the model is told about a tool ---


@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"{city}: 晴天, 25°C"


class SearchInput(BaseModel):
    """What to search for."""

    query: str = Field(description="the words to look for")
    max_results: int = Field(default=5, ge=1, le=20, description="how many results, 1 to 20")


SEARCHED: list[int] = []


@tool(args_schema=SearchInput)
def search(query: str, max_results: int = 5) -> str:
    """Search the web."""
    SEARCHED.append(max_results)
    return f"{max_results} results for {query}"


def plain(text: str) -> str:
    """Say something plain."""
    return text


@both_ways
@each_agent
def test_the_docstring_and_the_parameters_are_what_the_model_is_offered(way: Any, kind: Kind) -> None:
    offered = []

    class Watched(ScriptedChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            offered.extend(convert_to_openai_tool(item)["function"] for item in tools)
            return super().bind_tools(tools, **kwargs)

    agent = kind.create(Watched(script=["hi"]), [get_weather, search, plain], **kind.kwargs)
    way.invoke(agent, GO)
    assert [(f["name"], f["description"]) for f in offered[:3]] == [
        ("get_weather", "Get the weather of a city."),
        ("search", "Search the web."),
        ("plain", "Say something plain."),
    ]
    assert offered[0]["parameters"]["properties"] == {"city": {"type": "string"}}
    count = offered[1]["parameters"]["properties"]["max_results"]
    assert count == {
        "default": 5,
        "description": "how many results, 1 to 20",
        "maximum": 20,
        "minimum": 1,
        "type": "integer",
    }
    assert offered[1]["parameters"]["required"] == ["query"]


@both_ways
@each_agent
def test_an_argument_out_of_bounds_is_refused_before_the_tool_runs_and_the_model_reads_why(
    way: Any, kind: Kind
) -> None:
    SEARCHED.clear()
    script = [
        call("search", query="x", max_results=50),
        call("search", query="x", max_results=0),
        call("search", query="x", max_results=20),
    ]
    agent, model = kind.build([*script, "done"], [search])
    too_many, too_few, right = answers(way.invoke(agent, GO))
    assert SEARCHED == [20]
    assert [m.status for m in (too_many, too_few, right)] == ["error", "error", "success"]
    assert "max_results: Input should be less than or equal to 20" in model.calls[1].messages[-1].content
    assert "max_results: Input should be greater than or equal to 1" in model.calls[2].messages[-1].content
    assert right.content == "20 results for x"


class Span(BaseModel):
    start: int
    end: int

    @model_validator(mode="after")
    def ordered(self) -> Any:
        if self.end < self.start:
            raise ValueError("end lies before start")
        return self


@tool(args_schema=Span)
def cut(start: int, end: int) -> str:
    """Cut."""
    return f"{start}-{end}"


@both_ways
@each_agent
def test_what_a_cross_field_validator_says_reaches_the_model(way: Any, kind: Kind) -> None:
    agent, model = kind.build([call("cut", start=2, end=1), call("cut", start=1, end=2), "done"], [cut])
    wrong, right = answers(way.invoke(agent, GO))
    assert (wrong.status, right.content) == ("error", "1-2")
    assert "end lies before start" in model.calls[1].messages[-1].content


# --- results ---


def order(order_id: str) -> dict[str, Any]:
    """Look an order up."""
    return {"order_id": order_id, "status": "已发货", "days": 2}


@both_ways
@each_agent
def test_a_text_is_read_as_it_is_and_a_dict_as_json(way: Any, kind: Kind) -> None:
    agent, model = kind.build(
        [[call("get_weather", city="北京"), call("order", order_id="A17")], "done"], [get_weather, order]
    )
    text, structured = answers(way.invoke(agent, GO))
    assert text.content == "北京: 晴天, 25°C"
    assert json.loads(structured.content) == {"order_id": "A17", "status": "已发货", "days": 2}
    assert "已发货" in structured.content  # not escaped: the model reads it
    assert [m.content for m in model.calls[1].messages[-2:]] == [text.content, structured.content]


@both_ways
@each_agent
def test_an_answer_carries_the_name_the_call_id_and_its_status(way: Any, kind: Kind) -> None:
    calls = [call("get_weather", city="a"), call("get_weather", id="mine", city="b"), call("order", wrong="x")]
    agent, _ = kind.build([calls, "done"], [get_weather, order])
    found = [(m.type, m.name, m.tool_call_id, m.status) for m in answers(way.invoke(agent, GO))]
    assert found == [
        ("tool", "get_weather", "call_0_0", "success"),
        ("tool", "get_weather", "mine", "success"),
        ("tool", "order", "call_0_2", "error"),
    ]
    assert all(m.id for m in answers(way.invoke(agent, GO)))


@tool(response_format="content_and_artifact")
def draw(what: str) -> tuple[str, dict[str, Any]]:
    """Draw a picture."""
    return f"a picture of {what}", {"png": b"\x89PNG", "size": [2, 2]}


@tool
def report(tool_call_id: Annotated[str, InjectedToolCallId]) -> ToolMessage:
    """Report."""
    return ToolMessage(
        "half done", tool_call_id=tool_call_id, status="error", artifact=[1, 2], additional_kwargs={"k": 1}
    )


@both_ways
@each_agent
def test_an_artifact_is_kept_for_the_application_and_the_model_reads_the_content(way: Any, kind: Kind) -> None:
    agent, model = kind.build([call("draw", what="a cat"), "done"], [draw])
    [message] = answers(way.invoke(agent, GO))
    assert message.content == "a picture of a cat"
    assert message.artifact == {"png": b"\x89PNG", "size": [2, 2]}
    assert model.calls[1].messages[-1].content == "a picture of a cat"


@both_ways
@each_agent
def test_a_tool_may_return_the_whole_message_itself(way: Any, kind: Kind) -> None:
    agent, _ = kind.build([call("report"), "done"], [report])
    [message] = answers(way.invoke(agent, GO))
    assert (message.content, message.status, message.artifact, message.tool_call_id) == (
        "half done",
        "error",
        [1, 2],
        "call_0_0",
    )
    assert message.additional_kwargs == {"k": 1}
    assert message.name is None  # as the tool wrote it, and as upstream leaves it


@both_ways
@each_agent
def test_an_artifact_and_a_status_survive_sqlite(way: Any, kind: Kind, tmp_path: Path) -> None:
    def build(saver: Any) -> Any:
        return kind.build(
            [[call("draw", what="a cat"), call("report")], "done", "again"], [draw, report], checkpointer=saver
        )[0]

    way.invoke_stored(tmp_path / "t.sqlite", build, GO, THREAD)
    drawn, reported = answers(way.invoke_stored(tmp_path / "t.sqlite", build, GO, THREAD))
    assert drawn.artifact == {"png": b"\x89PNG", "size": [2, 2]}
    assert (reported.status, reported.artifact) == ("error", [1, 2])


# --- Command: a tool writes the state ---


@tool
def record_issue(issue: str, runtime: Runtime) -> Command:
    """Record the kind of issue and go on to solving it."""
    done = ToolMessage(f"recorded: {issue}", tool_call_id=runtime.tool_call_id)
    return Command(
        update={"issue_type": issue, "current_step": "resolve", "visited": [issue], "messages": [done]},
    )


@tool
def read_state(state: Annotated[Any, InjectedState], step: Annotated[str, InjectedState("current_step")]) -> str:
    """Read the state."""
    values = state if isinstance(state, dict) else dict(state)
    return f"{values['issue_type']} {step} {values['visited']} {type(state).__name__}"


@both_ways
@each_state
def test_a_command_writes_the_fields_of_a_custom_state_by_their_reducers(way: Any, kind: Kind) -> None:
    script = [call("record_issue", issue="billing"), call("record_issue", issue="refund"), call("read_state"), "done"]
    agent, model = kind.build(script, [record_issue, read_state], state_schema=kind.state)
    result = way.invoke(agent, {**GO, "current_step": "triage", "visited": ["start"]})
    assert result["issue_type"] == "refund"  # no reducer: the last one wins
    assert result["current_step"] == "resolve"
    assert result["visited"] == ["start", "billing", "refund"]  # a reducer: added up
    recorded = answers(result)[0]
    assert (recorded.content, recorded.name, recorded.tool_call_id) == ("recorded: billing", "record_issue", "call_0_0")
    seen = "PydanticState" if kind is PYDANTIC else "dict"
    assert answers(result)[2].content == f"refund resolve ['start', 'billing', 'refund'] {seen}"
    assert model.calls[1].messages[-1].content == "recorded: billing"


@both_ways
@each_state
def test_parallel_commands_are_all_reduced_and_all_seen_in_the_updates(way: Any, kind: Kind) -> None:
    @tool
    def visit(place: str, runtime: Runtime) -> Command:
        """Visit a place."""
        return Command(update={"visited": [place], "messages": [ToolMessage(place, tool_call_id=runtime.tool_call_id)]})

    calls = [call("visit", place="a"), call("visit", place="b"), call("visit", place="c")]
    agent, _ = kind.build([calls, "done"], [visit], state_schema=kind.state)
    assert sorted(way.invoke(agent, {**GO, "visited": ["start"]})["visited"]) == ["a", "b", "c", "start"]
    chunks = [c["tools"] for c in way.stream(agent, {**GO, "visited": []}, stream_mode="updates") if "tools" in c]
    updates = [update for chunk in chunks for update in (chunk if isinstance(chunk, list) else [chunk])]
    assert sorted(place for update in updates for place in update.get("visited", [])) == ["a", "b", "c"]


@both_ways
@each_agent
@pytest.mark.parametrize("update", [{"issue_type": "x"}, {"messages": [ToolMessage("ok", tool_call_id="another")]}])
def test_a_command_without_the_answer_to_its_call_is_an_error_that_says_so(
    way: Any, kind: Kind, update: dict[str, Any]
) -> None:
    @tool
    def forget() -> Command:
        """Forget to answer."""
        return Command(update=update)

    agent, _ = kind.build([call("forget"), "done"], [forget], state_schema=kind.state)
    with pytest.raises(ValueError, match=r"matching ToolMessage in Command\.update for tool 'forget'"):
        way.invoke(agent, GO)


@both_ways
@each_agent
def test_with_handled_errors_a_command_without_its_answer_is_told_to_the_model(way: Any, kind: Kind) -> None:
    @tool
    def forget() -> Command:
        """Forget to answer."""
        return Command(update={})

    agent, _ = kind.build([call("forget"), "sorry"], [forget], handle_tool_errors=True)
    [message] = answers(way.invoke(agent, GO))
    assert message.status == "error"
    assert "matching ToolMessage" in message.content


# --- return_direct ---


@tool(return_direct=True)
def fetch_status(order_id: str) -> str:
    """Get the status of an order."""
    if order_id == "lost":
        raise LookupError("no such order")
    return f"order {order_id}: shipped"


@tool(return_direct=True)
def fetch_and_store(order_id: str, runtime: Runtime) -> Command:
    """Get the status of an order and remember it."""
    status = f"order {order_id}: shipped"
    return Command(
        update={"last_order_status": status, "messages": [ToolMessage(status, tool_call_id=runtime.tool_call_id)]}
    )


@tool
def last_status(status: Annotated[str, InjectedState("last_order_status")]) -> str:
    """Tell the status that was read last."""
    return f"remembered {status}"


@both_ways
@each_agent
def test_return_direct_ends_the_run_with_the_tools_own_answer(way: Any, kind: Kind) -> None:
    agent, model = kind.build([call("fetch_status", order_id="A17"), "never said"], [fetch_status])
    messages = way.invoke(agent, GO)["messages"]
    assert [m.content for m in messages] == ["go", "", "order A17: shipped"]
    assert len(model.calls) == 1


@both_ways
@each_agent
def test_in_an_agent_with_return_direct_the_other_tools_go_back_to_the_model(way: Any, kind: Kind) -> None:
    script = [call("get_weather", city="a"), call("fetch_status", order_id="A17"), "never said"]
    agent, model = kind.build(script, [fetch_status, get_weather])
    assert way.invoke(agent, GO)["messages"][-1].content == "order A17: shipped"
    assert len(model.calls) == 2


@both_ways
@pytest.mark.parametrize("kind", LEGACY, ids=lambda kind: kind.name)
def test_a_return_direct_tool_that_fails_goes_back_to_the_model_and_a_success_ends(way: Any, kind: Kind) -> None:
    script = [call("fetch_status", order_id="lost"), call("fetch_status", order_id="A17"), "never said"]
    agent, model = kind.build(script, [fetch_status], handle_tool_errors=True)
    failed, fetched = answers(way.invoke(agent, GO))
    assert (failed.status, fetched.content) == ("error", "order A17: shipped")
    assert len(model.calls) == 2


@both_ways
@each_state
def test_return_direct_with_a_command_ends_the_run_and_writes_the_state(way: Any, kind: Kind) -> None:
    agent, model = kind.build(
        [call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state
    )
    result = way.invoke(agent, GO)
    assert result["last_order_status"] == "order A17: shipped"
    assert [m.content for m in result["messages"]] == ["go", "", "order A17: shipped"]
    assert len(model.calls) == 1


@both_ways
@each_state
def test_what_it_wrote_is_there_in_the_next_turn_after_a_restart(way: Any, kind: Kind, tmp_path: Path) -> None:
    script = [call("fetch_and_store", order_id="A17"), call("last_status"), "It was shipped."]

    def build(saver: Any) -> Any:
        return kind.build(script, [fetch_and_store, last_status], state_schema=kind.state, checkpointer=saver)[0]

    way.invoke_stored(tmp_path / "t.sqlite", build, GO, THREAD)
    result = way.invoke_stored(tmp_path / "t.sqlite", build, {"messages": [("user", "what was it?")]}, THREAD)
    assert [m.content for m in result["messages"]] == [
        "go",
        "",
        "order A17: shipped",
        "what was it?",
        "",
        "remembered order A17: shipped",
        "It was shipped.",
    ]
    assert result["last_order_status"] == "order A17: shipped"


@both_ways
@each_state
def test_what_it_wrote_is_seen_by_a_parent_graph(way: Any, kind: Kind) -> None:
    agent, _ = kind.build([call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state)

    class Parent(MessagesState):
        last_order_status: str
        mail: str

    builder = StateGraph(Parent)
    builder.add_node("agent", agent)
    builder.add_node("mail", lambda state: {"mail": f"Dear customer, {state['last_order_status']}"})
    builder.add_edge(START, "agent")
    builder.add_edge("agent", "mail")
    result = way.invoke(builder.compile(), GO)
    assert result["mail"] == "Dear customer, order A17: shipped"
    assert result["messages"][-1].content == "order A17: shipped"


@both_ways
@each_state
def test_what_it_wrote_is_seen_in_the_updates_and_the_values(way: Any, kind: Kind) -> None:
    agent, _ = kind.build([call("fetch_and_store", order_id="A17"), "no"], [fetch_and_store], state_schema=kind.state)
    chunks = way.stream(agent, GO, stream_mode=["updates", "values"])
    updates = [chunk for mode, chunk in chunks if mode == "updates"]
    assert [list(update) for update in updates] == [[kind.model_node], ["tools"]]
    assert updates[1]["tools"]["last_order_status"] == "order A17: shipped"
    assert updates[1]["tools"]["messages"][0].content == "order A17: shipped"
    values = [chunk for mode, chunk in chunks if mode == "values"]
    assert values[-1]["last_order_status"] == "order A17: shipped"


# --- state and memory ---


@both_ways
@each_state
def test_the_fields_of_a_custom_state_go_in_through_the_input_and_come_out(way: Any, kind: Kind) -> None:
    agent, _ = kind.build(["hi"], [get_weather], state_schema=kind.state)
    result = way.invoke(agent, {**GO, "current_step": "triage", "visited": ["start"]})
    assert result["current_step"] == "triage"
    assert result["visited"] == ["start"]
    assert [m.content for m in result["messages"]] == ["go", "hi"]


MY_NAME = {"messages": [("user", "I am Ming")]}
WHO = {"messages": [("user", "who am I?")]}


@both_ways
@each_agent
def test_without_a_checkpointer_the_second_turn_knows_nothing_of_the_first(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hello"], [get_weather])
    way.invoke(agent, MY_NAME)
    way.invoke(agent, WHO)
    assert [m.content for m in model.calls[1].messages] == ["who am I?"]


@both_ways
@each_agent
def test_with_a_checkpointer_a_thread_is_remembered_and_another_is_not(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hello", "You are Ming."], [get_weather], checkpointer=InMemorySaver())
    way.invoke(agent, MY_NAME, THREAD)
    assert way.invoke(agent, WHO, THREAD)["messages"][-1].content == "You are Ming."
    assert [m.content for m in model.calls[1].messages] == ["I am Ming", "hello", "who am I?"]
    way.invoke(agent, WHO, {"configurable": {"thread_id": "other"}})
    assert [m.content for m in model.calls[2].messages] == ["who am I?"]


@both_ways
@each_agent
def test_with_sqlite_a_thread_is_remembered_by_the_next_process(way: Any, kind: Kind, tmp_path: Path) -> None:
    models = []

    def build(saver: Any) -> Any:
        script = [call("get_weather", city="a"), "hello", "You are Ming."]
        agent, model = kind.build(script, [get_weather], checkpointer=saver)
        models.append(model)
        return agent

    way.invoke_stored(tmp_path / "t.sqlite", build, MY_NAME, THREAD)
    result = way.invoke_stored(tmp_path / "t.sqlite", build, WHO, THREAD)
    assert result["messages"][-1].content == "You are Ming."
    assert [m.content for m in models[1].calls[0].messages] == ["I am Ming", "", "a: 晴天, 25°C", "hello", "who am I?"]


@both_ways
@each_agent
def test_a_bare_string_as_messages_is_the_users_message(way: Any, kind: Kind) -> None:
    agent, model = kind.build(["hi"], [get_weather])
    way.invoke(agent, {"messages": "I am Ming"})
    [message] = model.calls[0].messages
    assert isinstance(message, HumanMessage)
    assert message.content == "I am Ming"


# --- addresses that upstream advertises and never shipped ---

ADDRESSES = [
    *((name, langchain.tools) for name in ("tool", "BaseTool", "ToolException", "InjectedToolArg")),
    *((name, langchain.tools) for name in ("InjectedToolCallId", "InjectedState", "InjectedStore", "ToolRuntime")),
    *((name, agentkit.prebuilt) for name in ("ToolNode", "tools_condition", "InjectedState", "InjectedStore")),
]


@pytest.mark.parametrize(("name", "home"), ADDRESSES)
def test_agentkit_tools_has_the_very_object_of_its_home(name: str, home: Any) -> None:
    assert getattr(agentkit.tools, name) is getattr(home, name)
    assert name in agentkit.tools.__all__


@pytest.mark.parametrize("name", ["ActionRequest", "HumanInterrupt", "HumanInterruptConfig", "HumanResponse"])
def test_the_human_interrupt_types_are_at_the_address_that_warnings_name(name: str) -> None:
    current = importlib.import_module("agentkit.agents.interrupt")
    legacy = importlib.import_module("agentkit.prebuilt.interrupt")
    assert getattr(current, name) is getattr(legacy, name)
    assert name in current.__all__
