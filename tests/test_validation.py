"""ValidationNode checks calls and runs none."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pydantic.v1
import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.tools import StructuredTool, Tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.base import BaseStore
from pydantic import BaseModel, Field, field_validator, model_validator

from agentkit.middleware import ValidationMiddleware
from agentkit.prebuilt import InjectedState, InjectedStore, ToolRuntime, ValidationNode
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import InjectedToolCallId, tool
from tests.tool_parts import asks, is_error
from tests.ways import both_ways


class Number(BaseModel):
    """Choose a number."""

    a: int = Field(le=40)
    note: str = "none"

    @field_validator("a")
    @classmethod
    def only_37(cls, value: int) -> int:
        if value != 37:
            raise ValueError("Only 37 is allowed")
        return value


class NumberV1(pydantic.v1.BaseModel):
    """Choose a number."""

    a: int
    note: str = "none"

    @pydantic.v1.validator("a")
    def only_37(cls, value: int) -> int:
        if value != 37:
            raise ValueError("Only 37 is allowed")
        return value


@tool(args_schema=Number)
def number_tool(a: int, note: str = "none") -> str:
    """Choose a number."""
    raise AssertionError("a ValidationNode runs nothing")


number_tool_v1 = StructuredTool(
    name="number_tool_v1", description="Choose a number.", args_schema=NumberV1, func=lambda a, note: "never"
)


def number_function(a: Literal[37], note: str = "none") -> str:
    """Choose a number."""
    raise AssertionError("a ValidationNode runs nothing")


def undocumented(a: Literal[37], note: str = "none") -> str:
    raise AssertionError("a ValidationNode runs nothing")


KINDS = [Number, NumberV1, number_tool, number_tool_v1, number_function, undocumented]


def name_of(schema: Any) -> str:
    return getattr(schema, "name", None) or schema.__name__


@both_ways
@pytest.mark.parametrize("schema", KINDS, ids=name_of)
def test_valid_arguments_come_back_as_json_with_defaults_filled_in(way: Any, schema: Any) -> None:
    [message] = way.invoke(ValidationNode([schema]), [asks(call(name_of(schema), a=37))])
    assert json.loads(message.content) == {"a": 37, "note": "none"}
    assert (message.name, message.tool_call_id, is_error(message)) == (name_of(schema), "1", False)


@both_ways
@pytest.mark.parametrize("schema", KINDS, ids=name_of)
def test_wrong_arguments_come_back_as_the_reason_and_a_request_to_fix_it(way: Any, schema: Any) -> None:
    node = ValidationNode([schema])
    wrong, missing = way.invoke(node, [asks(call(name_of(schema), a=5), call(name_of(schema), note="x"))])
    assert is_error(wrong)
    assert is_error(missing)
    assert "37" in wrong.content
    assert wrong.content.endswith("Respond after fixing all validation errors.")
    assert "required" in missing.content
    assert [m.tool_call_id for m in (wrong, missing)] == ["1", "2"]


@both_ways
def test_a_dict_is_answered_with_a_dict_and_a_list_with_a_list(way: Any) -> None:
    class State(BaseModel):
        messages: list[AnyMessage]

    node = ValidationNode([Number])
    messages = [HumanMessage("?"), asks(call("Number", a=37))]
    as_list = way.invoke(node, messages)
    assert isinstance(as_list, list)
    assert way.invoke(node, {"messages": messages}) == {"messages": as_list}
    assert way.invoke(node, State(messages=messages)) == {"messages": as_list}


@both_ways
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ([], "No message found in input"),
        ({}, "No message found in input"),
        ({"messages": []}, "No message found in input"),
        ([HumanMessage("?")], "Last message is not an AIMessage"),
        ([asks(call("Number", a=37)), HumanMessage("?")], "Last message is not an AIMessage"),
    ],
)
def test_input_that_does_not_end_in_an_ai_message_is_refused(way: Any, bad: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        way.invoke(ValidationNode([Number]), bad)


@both_ways
def test_a_message_without_calls_has_nothing_to_validate(way: Any) -> None:
    assert way.invoke(ValidationNode([Number]), [AIMessage("hi")]) == []


@both_ways
def test_an_unknown_tool_is_answered_with_the_names_that_exist_and_the_others_are_validated(way: Any) -> None:
    node = ValidationNode([Number, number_function])
    first, unknown, last = way.invoke(node, [asks(call("Number", a=37), call("Nobody", a=1), call("Number", a=1))])
    assert [is_error(m) for m in (first, unknown, last)] == [False, True, True]
    assert "Nobody is not a valid tool" in unknown.content
    assert "[Number, number_function]" in unknown.content
    assert (unknown.name, unknown.tool_call_id) == ("Nobody", "2")


@both_ways
@pytest.mark.parametrize("schema", [Number, NumberV1], ids=name_of)
def test_format_error_gets_the_error_the_call_and_the_schema_and_writes_the_text(way: Any, schema: Any) -> None:
    def explain(error: BaseException, tool_call: Any, model: Any) -> str:
        return f"{type(error).__name__}|{tool_call['args']}|{model.__name__}"

    [message] = way.invoke(ValidationNode([schema], format_error=explain), [asks(call(schema.__name__, a=1))])
    assert message.content == f"ValidationError|{{'a': 1}}|{schema.__name__}"
    assert is_error(message)


def test_the_node_has_the_attributes_it_had() -> None:
    node = ValidationNode([Number, number_tool], name="check", tags=["t"])
    assert (node.name, node.tags) == ("check", ["t"])
    assert node.schemas_by_name == {"Number": Number, "number_tool": Number}
    assert ValidationNode([Number]).name == "validation"


@tool
def injected_tool(
    x: int,
    state: Annotated[dict, InjectedState],
    user: Annotated[str, InjectedState("user")],
    store: Annotated[BaseStore, InjectedStore()],
    tool_call_id: Annotated[str, InjectedToolCallId],
    runtime: ToolRuntime,
) -> str:
    """Take x."""
    return "never"


def injected_function(
    x: int, state: Annotated[dict, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]
) -> str:
    """Take x."""
    return "never"


@both_ways
@pytest.mark.parametrize("schema", [injected_tool, injected_function], ids=name_of)
def test_injected_parameters_are_neither_asked_of_the_model_nor_taken_from_it(way: Any, schema: Any) -> None:
    node = ValidationNode([schema])
    good, forged, bad = way.invoke(
        node,
        [asks(call(name_of(schema), x=1), call(name_of(schema), x=2, state={"a": 1}), call(name_of(schema), x="?"))],
    )
    assert [json.loads(m.content) for m in (good, forged)] == [{"x": 1}, {"x": 2}]
    assert is_error(bad)
    assert "x\n" in bad.content
    assert "state" not in bad.content


@both_ways
def test_validators_of_a_schema_with_injected_fields_still_run_and_see_no_forged_value(way: Any) -> None:
    class Span(BaseModel):
        start: int
        end: int
        state: Annotated[dict, InjectedState]

        @model_validator(mode="after")
        def ordered(self) -> Any:
            if self.state is not None:
                raise ValueError("the model wrote the state")
            if self.end < self.start:
                raise ValueError("end lies before start")
            return self

    @tool(args_schema=Span)
    def cut(start: int, end: int, state: dict) -> str:
        """Cut."""
        return "never"

    calls = [call("cut", start=1, end=2, state={"forged": 1}), call("cut", start=2, end=1)]
    good, bad = way.invoke(ValidationNode([cut]), [asks(*calls)])
    assert json.loads(good.content) == {"start": 1, "end": 2}
    assert "end lies before start" in bad.content


JSON_SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize("make", [ValidationNode, ValidationMiddleware])
def test_what_cannot_validate_is_refused_when_the_node_is_built(make: Any) -> None:
    with pytest.raises(ValueError, match=r"Got: <class 'dict'>.*JSON schema.*pydantic class"):
        make([{"name": "f", "parameters": JSON_SCHEMA}])
    by_json = StructuredTool(name="by_json", description="d", args_schema=JSON_SCHEMA, func=lambda a: a)
    with pytest.raises(ValueError, match=r"pydantic BaseModel args_schema\. Got by_json"):
        make([by_json])
    with pytest.raises(ValueError, match="Got: <class 'int'>"):
        make([3])
    with pytest.raises(ValueError, match="bare does not have an args_schema"):
        make([Tool(name="bare", description="d", func=lambda text: text)])


@both_ways
@pytest.mark.parametrize("schema", [MessagesState, Annotated[list, add_messages]], ids=["dict", "list"])
def test_the_re_prompt_loop_ends_when_the_model_corrects_itself(way: Any, schema: Any) -> None:
    def messages(state: Any) -> Any:
        return state if isinstance(state, list) else state["messages"]

    model = ScriptedChatModel(
        script=[call("Number", a=1), [call("Number", a=2), call("Number", a=37)], call("Number", a=37)]
    )
    bound = model.bind_tools([Number])

    def ask(state: Any) -> Any:
        reply = bound.invoke(messages(state))
        return reply if isinstance(state, list) else {"messages": reply}

    def again(state: Any) -> str:
        for message in reversed(messages(state)):
            if message.type == "ai":
                return END
            if message.additional_kwargs.get("is_error"):
                return "model"
        return END

    builder = StateGraph(schema)
    builder.add_node("model", ask)
    builder.add_node("validation", ValidationNode([Number]))
    builder.add_edge(START, "model")
    builder.add_edge("model", "validation")
    builder.add_conditional_edges("validation", again, ["model", END])
    question = [HumanMessage("Choose any number")]
    result = messages(
        way.invoke(builder.compile(), question if schema is not MessagesState else {"messages": question})
    )
    assert [m.type for m in result] == ["human", "ai", "tool", "ai", "tool", "tool", "ai", "tool"]
    assert json.loads(result[-1].content)["a"] == 37
    assert len(model.calls) == 3
