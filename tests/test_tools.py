"""What a model is told about a tool and what the tool may return, as the tool guide tells it, on each agent."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Annotated, Any

import langchain.tools
import pytest
from langchain_core.messages import ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, Field, model_validator

import agentkit.prebuilt
import agentkit.tools
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedToolCallId, tool
from tests.agent_kinds import (
    GO,
    THREAD,
    Kind,
    answers,
    each_agent,
    get_weather,
)
from tests.ways import both_ways

# --- what the model is told about a tool ---


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
