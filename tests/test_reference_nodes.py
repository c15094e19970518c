"""Each example of the reference of the nodes of `langgraph.prebuilt`, with the same meaning, through agentkit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command, interrupt
from pydantic import BaseModel, field_validator
from typing_extensions import TypedDict

from agentkit.agents.interrupt import ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse
from agentkit.prebuilt import (
    InjectedState,
    InjectedStore,
    ToolNode,
    ValidationNode,
    create_react_agent,
    tools_condition,
)
from agentkit.prebuilt.chat_agent_executor import AgentState
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import tool
from tests.ways import both_ways

QUESTION = {"messages": [{"role": "user", "content": "weather in Oslo?"}]}


def texts(messages: Any) -> list[str]:
    return [message.content for message in messages]


# --- ToolNode ---


@tool
def calculator(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def echo_state(query: str, state: Annotated[dict, InjectedState]) -> str:
    """Answer with the query and how many messages there are."""
    return f"{query}, {len(state['messages'])} messages"


def calls_of(*calls: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{**c, "id": c["id"] or str(n)} for n, c in enumerate(calls, 1)])


@both_ways
def test_a_tool_node_runs_the_calls_of_the_last_message(way: Any) -> None:
    result = way.invoke(ToolNode([calculator]), {"messages": [calls_of(call("calculator", a=2, b=3))]})
    assert result == {"messages": [ToolMessage("5", name="calculator", tool_call_id="1")]}


@both_ways
def test_a_tool_node_puts_the_state_into_a_tool_that_asks_for_it(way: Any) -> None:
    state = {"messages": [HumanMessage("hi"), calls_of(call("echo_state", query="what"))]}
    assert texts(way.invoke(ToolNode([echo_state]), state)["messages"]) == ["what, 2 messages"]
    assert list(echo_state.tool_call_schema.model_json_schema()["properties"]) == ["query"]


@both_ways
def test_a_tool_nodes_error_handler_answers_the_errors_it_is_annotated_with(way: Any) -> None:
    @tool
    def picky(text: str) -> str:
        """Take no text but one."""
        raise (ValueError if text == "bad" else OSError)(text)

    def handle(error: ValueError) -> str:
        return "that is not valid"

    node = ToolNode([picky], handle_tool_errors=handle)
    [message] = way.invoke(node, {"messages": [calls_of(call("picky", text="bad"))]})["messages"]
    assert (message.content, message.status) == ("that is not valid", "error")
    with pytest.raises(OSError, match="worse"):
        way.invoke(node, {"messages": [calls_of(call("picky", text="worse"))]})


# --- InjectedState ---


class FooState(TypedDict):
    messages: list[BaseMessage]
    foo: str


@tool
def state_tool(x: int, state: Annotated[dict, InjectedState]) -> str:
    """Use the state once there are enough messages."""
    return state["foo"] + str(x) if len(state["messages"]) > 2 else "not enough messages"


@tool
def foo_tool(x: int, foo: Annotated[str, InjectedState("foo")]) -> str:
    """Use one field of the state."""
    return foo + str(x + 1)


@both_ways
def test_injected_state_outside_a_graph_gives_the_result_that_the_reference_prints(way: Any) -> None:
    first = {"name": "state_tool", "args": {"x": 1}, "id": "1", "type": "tool_call"}
    second = {"name": "foo_tool", "args": {"x": 1}, "id": "2", "type": "tool_call"}
    state: FooState = {"messages": [AIMessage("", tool_calls=[first, second])], "foo": "bar"}
    assert way.invoke(ToolNode([state_tool, foo_tool]), state) == {
        "messages": [
            ToolMessage(content="not enough messages", name="state_tool", tool_call_id="1"),
            ToolMessage(content="bar2", name="foo_tool", tool_call_id="2"),
        ]
    }


@both_ways
def test_injected_state_in_an_agent_is_the_agents_state_and_is_hidden_from_the_model(way: Any) -> None:
    class State(AgentState):
        foo: str

    model = ScriptedChatModel(
        script=[call("state_tool", x=1), [call("state_tool", x=1), call("foo_tool", x=1)], "done"]
    )
    agent = create_react_agent(model, [state_tool, foo_tool], state_schema=State)
    result = way.invoke(agent, {**QUESTION, "foo": "bar"})
    found = [m.content for m in result["messages"] if isinstance(m, ToolMessage)]
    assert found == ["not enough messages", "bar1", "bar2"]
    for item in (state_tool, foo_tool):
        assert list(item.tool_call_schema.model_json_schema()["properties"]) == ["x"]


# --- InjectedStore ---


@tool
def save_preference(key: str, value: str, store: Annotated[Any, InjectedStore()]) -> str:
    """Remember what the user likes."""
    store.put(("preferences",), key, {"value": value})
    return f"saved {key}"


@tool
def get_preference(key: str, store: Annotated[Any, InjectedStore()]) -> str:
    """Tell what the user likes."""
    found = store.get(("preferences",), key)
    return found.value["value"] if found else "not found"


@both_ways
def test_an_injected_store_keeps_what_tools_put_there_within_and_across_conversations(way: Any) -> None:
    script = [
        call("get_preference", key="color"),
        call("save_preference", key="color", value="blue"),
        call("get_preference", key="color"),
        "blue",
    ]
    tools = [save_preference, get_preference]
    store = InMemoryStore()
    agent = create_react_agent(ScriptedChatModel(script=script), tools, store=store, checkpointer=InMemorySaver())
    first = way.invoke(agent, QUESTION, {"configurable": {"thread_id": "first"}})
    assert [m.content for m in first["messages"] if m.type == "tool"] == ["not found", "saved color", "blue"]

    later = create_react_agent(ScriptedChatModel(script=script), tools, store=store, checkpointer=InMemorySaver())
    second = way.invoke(later, QUESTION, {"configurable": {"thread_id": "second"}})
    assert [m.content for m in second["messages"] if m.type == "tool"] == ["blue", "saved color", "blue"]


@both_ways
def test_a_tool_node_in_a_graph_gets_the_store_the_graph_was_compiled_with(way: Any) -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("tools", ToolNode([save_preference, get_preference]))
    builder.add_edge(START, "tools")
    store = InMemoryStore()
    graph = builder.compile(store=store)
    way.invoke(graph, {"messages": [calls_of(call("save_preference", key="color", value="blue"))]})
    result = way.invoke(graph, {"messages": [calls_of(call("get_preference", key="color"))]})
    assert result["messages"][-1].content == "blue"
    without = builder.compile()
    with pytest.raises(ValueError, match="compile your graph with a store"):
        way.invoke(without, {"messages": [calls_of(call("get_preference", key="color"))]})


# --- tools_condition ---


class ChatState(TypedDict):
    chat_history: Annotated[list[AnyMessage], add_messages]


def own_condition(state: ChatState) -> Literal["tools", "__end__"]:
    return tools_condition(state, messages_key="chat_history")


@both_ways
@pytest.mark.parametrize(
    ("schema", "key", "condition"),
    [(MessagesState, "messages", tools_condition), (ChatState, "chat_history", own_condition)],
    ids=["messages", "chat_history"],
)
def test_tools_condition_routes_a_graph_of_ones_own_with_either_key(
    way: Any, schema: Any, key: str, condition: Any
) -> None:
    model = ScriptedChatModel(script=[call("calculator", a=2, b=3), "five"])
    builder = StateGraph(schema)
    builder.add_node("llm", lambda state: {key: [model.invoke(state[key])]})
    builder.add_node("tools", ToolNode([calculator], messages_key=key))
    builder.add_edge(START, "llm")
    builder.add_conditional_edges("llm", condition, {"tools": "tools", "__end__": END})
    builder.add_edge("tools", "llm")
    result = way.invoke(builder.compile(), {key: [("user", "2 + 3?")]})
    assert texts(result[key]) == ["2 + 3?", "", "5", "five"]


# --- ValidationNode ---


class SelectNumber(BaseModel):
    """Choose a number."""

    a: int

    @field_validator("a")
    @classmethod
    def must_be_37(cls, value: int) -> int:
        if value != 37:
            raise ValueError("Only 37 is allowed")
        return value


@both_ways
def test_the_re_prompt_loop_goes_on_until_the_model_chooses_37(way: Any) -> None:
    def corrected(messages: list[BaseMessage]) -> Any:
        assert "Only 37 is allowed" in messages[-1].content
        return call("SelectNumber", a=37)

    model = ScriptedChatModel(script=[call("SelectNumber", a=5), corrected])
    builder = StateGraph(Annotated[list, add_messages])
    builder.add_node("model", model.bind_tools([SelectNumber]))
    builder.add_node("validation", ValidationNode([SelectNumber]))
    builder.add_edge(START, "model")

    def should_validate(state: list) -> Literal["validation", "__end__"]:
        return "validation" if state[-1].tool_calls else END

    def should_reprompt(state: list) -> Literal["model", "__end__"]:
        for message in reversed(state):
            if message.type == "ai":
                return END
            if message.additional_kwargs.get("is_error"):
                return "model"
        return END

    builder.add_conditional_edges("model", should_validate)
    builder.add_conditional_edges("validation", should_reprompt)
    result = way.invoke(builder.compile(), ("user", "Choose any number"))
    assert [m.type for m in result] == ["human", "ai", "tool", "ai", "tool"]
    assert result[2].additional_kwargs["is_error"] is True
    assert result[-1].content == '{"a":37}'
    assert model.calls[0].tools == ["SelectNumber"]
    for message in result:
        assert message.pretty_repr()


# --- HumanInterrupt ---

REQUEST = HumanInterrupt(
    action_request=ActionRequest(action="run_command", args={"command": "ls", "args": ["-l"]}),
    config=HumanInterruptConfig(allow_ignore=True, allow_respond=True, allow_edit=False, allow_accept=True),
    description="Please look at the command before it runs",
)


@both_ways
@pytest.mark.parametrize(
    "answer",
    [
        HumanResponse(type="accept", args=None),
        HumanResponse(type="ignore", args=None),
        HumanResponse(type="response", args="not today"),
        HumanResponse(type="edit", args=ActionRequest(action="run_command", args={"command": "pwd"})),
    ],
    ids=lambda answer: answer["type"],
)
def test_a_human_interrupt_pauses_with_its_request_and_returns_the_answer(
    way: Any, answer: Any, tmp_path: Path
) -> None:
    config = {"configurable": {"thread_id": "t"}}

    def run_command(command: str) -> str:
        """Run a command."""
        response = interrupt([REQUEST])[0]
        return f"{response['type']}: {response['args']}"

    def build(saver: Any) -> Any:
        return create_react_agent(
            ScriptedChatModel(script=[call("run_command", command="ls"), "done"]), [run_command], checkpointer=saver
        )

    paused = way.invoke_stored(tmp_path / "t.sqlite", build, QUESTION, config)
    assert paused["__interrupt__"][0].value == [
        {
            "action_request": {"action": "run_command", "args": {"command": "ls", "args": ["-l"]}},
            "config": {"allow_ignore": True, "allow_respond": True, "allow_edit": False, "allow_accept": True},
            "description": "Please look at the command before it runs",
        }
    ]
    result = way.invoke_stored(tmp_path / "t.sqlite", build, Command(resume=[answer]), config)
    assert result["messages"][2].content == f"{answer['type']}: {answer['args']}"
    assert result["messages"][-1].content == "done"
