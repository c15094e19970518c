"""Each example of the reference of `create_react_agent`, with the same meaning, through agentkit."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import (
    RemoveMessage,
    SystemMessage,
)
from langchain_core.runnables import RunnableLambda
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.runtime import Runtime
from pydantic import BaseModel
from typing_extensions import TypedDict

from agentkit.prebuilt import (
    create_react_agent,
)
from agentkit.prebuilt.chat_agent_executor import AgentState
from agentkit.testing import ScriptedChatModel, call
from tests.ways import both_ways


def forecast(location: str) -> str:
    """Say what the weather will be at a place."""
    return f"sun over {location}"


QUESTION = {"messages": [{"role": "user", "content": "weather in Oslo?"}]}


def texts(messages: Any) -> list[str]:
    return [message.content for message in messages]


# --- create_react_agent ---


@both_ways
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_agent_streams_its_question_its_tool_and_its_answer(way: Any, version: Any) -> None:
    model = ScriptedChatModel(script=[call("forecast", location="Oslo"), "Sun."])
    agent = create_react_agent(model, tools=[forecast], prompt="You know the weather.", version=version)
    updates = way.stream(agent, QUESTION, stream_mode="updates")
    assert [list(update) for update in updates] == [["agent"], ["tools"], ["agent"]]
    assert updates[0]["agent"]["messages"][0].tool_calls[0]["args"] == {"location": "Oslo"}
    assert texts(updates[1]["tools"]["messages"]) == ["sun over Oslo"]
    assert texts(updates[2]["agent"]["messages"]) == ["Sun."]
    assert texts(model.calls[0].messages) == ["You know the weather.", "weather in Oslo?"]


@both_ways
def test_the_agent_returns_the_whole_conversation(way: Any) -> None:
    model = ScriptedChatModel(script=[[call("forecast", location="Oslo"), call("forecast", location="Rome")], "Sun."])
    result = way.invoke(create_react_agent(model, [forecast]), QUESTION)
    assert list(result) == ["messages"]
    assert texts(result["messages"]) == ["weather in Oslo?", "", "sun over Oslo", "sun over Rome", "Sun."]


class Provider(BaseHTTPRequestHandler):
    """Answers as Anthropic's API does: first with a tool call, then with a text."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.sent.append(sent)  # type: ignore[attr-defined]
        use = {"type": "tool_use", "id": "toolu_1", "name": "forecast", "input": {"location": "Oslo"}}
        answered = len(sent["messages"]) > 1
        reply = {
            "id": "msg",
            "type": "message",
            "role": "assistant",
            "model": sent["model"],
            "content": [{"type": "text", "text": "Sun."}] if answered else [use],
            "stop_reason": "end_turn" if answered else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Be quiet."""


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """A provider on this machine, as the provider's own client sees it; gives what it was sent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.sent = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield server.sent  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


@both_ways
def test_a_model_given_by_name_is_the_providers(way: Any, provider: list[Any]) -> None:
    pytest.importorskip("langchain_anthropic", reason="this environment has no provider's package")
    agent = create_react_agent("anthropic:claude-of-the-test", tools=[forecast], prompt="You know the weather.")
    assert texts(way.invoke(agent, QUESTION)["messages"])[2:] == ["sun over Oslo", "Sun."]
    assert [(sent["model"], sent["tools"][0]["name"]) for sent in provider] == [("claude-of-the-test", "forecast")] * 2
    assert "You know the weather." in str(provider[0]["system"])


@both_ways
def test_no_tools_make_an_agent_of_one_model_node(way: Any) -> None:
    agent = create_react_agent(ScriptedChatModel(script=["hello"]), tools=[])
    assert [list(update) for update in way.stream(agent, QUESTION, stream_mode="updates")] == [["agent"]]
    assert sorted(agent.get_graph().nodes) == ["__end__", "__start__", "agent"]


@dataclass
class ModelContext:
    model_name: str = "small"


@both_ways
@pytest.mark.parametrize("name", ["small", "large"])
def test_a_function_chooses_the_model_by_the_runs_context(way: Any, name: str) -> None:
    models = {
        "small": ScriptedChatModel(script=[call("forecast", location="Oslo"), "small says sun"]),
        "large": ScriptedChatModel(script=[call("forecast", location="Oslo"), "large says sun"]),
    }

    def choose(state: AgentState, runtime: Runtime[ModelContext]) -> Any:
        assert state["messages"][0].content == "weather in Oslo?"
        return models[runtime.context.model_name].bind_tools([forecast])

    agent = create_react_agent(choose, [forecast], context_schema=ModelContext)
    result = way.invoke(agent, QUESTION, context=ModelContext(name))
    assert result["messages"][-1].content == f"{name} says sun"
    assert [c.tools for c in models[name].calls] == [["forecast"], ["forecast"]]


async def test_a_coroutine_chooses_the_model() -> None:
    model = ScriptedChatModel(script=[call("forecast", location="Oslo"), "Sun."])

    async def choose(state: AgentState, runtime: Runtime[ModelContext]) -> Any:
        return model.bind_tools([forecast])

    agent = create_react_agent(choose, [forecast], context_schema=ModelContext)
    assert (await agent.ainvoke(QUESTION))["messages"][-1].content == "Sun."
    with pytest.raises(RuntimeError, match=r"Use agent\.ainvoke\(\)"):
        agent.invoke(QUESTION)


@both_ways
@pytest.mark.parametrize(
    "prompt",
    [
        "Be brief.",
        SystemMessage("Be brief."),
        lambda state: [SystemMessage("Be brief."), *state["messages"]],
        RunnableLambda(lambda state: [SystemMessage("Be brief."), *state["messages"]]),
    ],
    ids=["text", "message", "function", "runnable"],
)
def test_each_form_of_prompt_reaches_the_model_and_not_the_state(way: Any, prompt: Any) -> None:
    model = ScriptedChatModel(script=["hello"])
    result = way.invoke(create_react_agent(model, [forecast], prompt=prompt), QUESTION)
    assert texts(model.calls[0].messages) == ["Be brief.", "weather in Oslo?"]
    assert texts(result["messages"]) == ["weather in Oslo?", "hello"]


class Weather(BaseModel):
    """The weather."""

    sky: str


class WeatherDict(TypedDict):
    """The weather."""

    sky: str


@both_ways
@pytest.mark.parametrize(
    "schema", [Weather, WeatherDict, Weather.model_json_schema()], ids=["pydantic", "dict", "json"]
)
@pytest.mark.parametrize("with_prompt", [False, True])
def test_response_format_makes_one_more_call_after_the_loop(way: Any, schema: Any, with_prompt: bool) -> None:
    model = ScriptedChatModel(script=[call("forecast", location="Oslo"), "Sun."], structured={"sky": "clear"})
    response_format = ("Extract the sky.", schema) if with_prompt else schema
    result = way.invoke(create_react_agent(model, [forecast], response_format=response_format), QUESTION)
    assert result["structured_response"] == (Weather(sky="clear") if schema is Weather else {"sky": "clear"})
    assert len(model.calls) == 3
    asked = ["weather in Oslo?", "", "sun over Oslo", "Sun."]
    assert texts(model.calls[2].messages) == (["Extract the sky.", *asked] if with_prompt else asked)
    assert texts(result["messages"]) == asked


@both_ways
def test_without_response_format_there_is_no_structured_response(way: Any) -> None:
    assert "structured_response" not in way.invoke(create_react_agent(ScriptedChatModel(script=["hi"]), []), QUESTION)


@both_ways
def test_a_pre_model_hook_changes_the_input_alone_or_the_messages_for_good(way: Any) -> None:
    conversation = {"messages": [("user", "one"), ("ai", "two"), ("user", "three")]}

    def trim_input(state: Any) -> Any:
        return {"llm_input_messages": state["messages"][-1:]}

    def trim_state(state: Any) -> Any:
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *state["messages"][-1:]]}

    for hook, kept in ((trim_input, ["one", "two", "three"]), (trim_state, ["three"])):
        model = ScriptedChatModel(script=["first", "second"])
        result = way.invoke(create_react_agent(model, [forecast], pre_model_hook=hook), conversation)
        assert texts(model.calls[0].messages) == ["three"]
        assert texts(result["messages"]) == [*kept, "first"]


@both_ways
def test_a_post_model_hook_sees_each_answer_of_the_model(way: Any) -> None:
    seen = []

    def look(state: Any) -> Any:
        seen.append(state["messages"][-1].content or "a call")
        return {}

    model = ScriptedChatModel(script=[call("forecast", location="Oslo"), "Sun."])
    agent = create_react_agent(model, [forecast], post_model_hook=look)
    nodes = [node for update in way.stream(agent, QUESTION, stream_mode="updates") for node in update]
    assert nodes == ["agent", "post_model_hook", "tools", "agent", "post_model_hook"]
    assert seen == ["a call", "Sun."]


@both_ways
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("limit", range(1, 10))
def test_when_the_steps_run_out_it_says_so_before_a_tool_and_raises_after_one(
    way: Any, version: Any, limit: int
) -> None:
    model = ScriptedChatModel(script=[call("forecast", location="Oslo")] * 50)
    agent = create_react_agent(model, [forecast], version=version)
    if limit % 2:  # the limit falls behind the tools, where no model call is left to say anything
        with pytest.raises(GraphRecursionError):
            way.invoke(agent, QUESTION, {"recursion_limit": limit})
    else:
        last = way.invoke(agent, QUESTION, {"recursion_limit": limit})["messages"][-1]
        assert last.content == "Sorry, need more steps to process this request."
        assert not last.tool_calls


@both_ways
def test_a_custom_state_needs_messages_and_remaining_steps(way: Any) -> None:
    class Custom(AgentState):
        user: str

    class Incomplete(TypedDict):
        messages: Annotated[list, add_messages]

    def greet(state: Custom) -> Any:
        return [SystemMessage(f"The user is {state['user']}."), *state["messages"]]

    model = ScriptedChatModel(script=["hi"])
    result = way.invoke(create_react_agent(model, [], prompt=greet, state_schema=Custom), {**QUESTION, "user": "Ann"})
    assert model.calls[0].messages[0].content == "The user is Ann."
    assert result["user"] == "Ann"
    with pytest.raises(ValueError, match=r"Missing required key.*remaining_steps"):
        create_react_agent(model, [], state_schema=Incomplete)


@both_ways
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    ("options", "lengths"),
    [
        ({"interrupt_before": ["tools"]}, [2, 4]),
        ({"interrupt_after": ["tools"]}, [3, 4]),
        ({"interrupt_before": ["agent"]}, [1, 3, 4]),
        ({"interrupt_after": ["agent"]}, [2, 4]),
    ],
    ids=str,
)
def test_it_pauses_at_the_named_node_and_goes_on_after_a_restart(
    way: Any, version: Any, options: Any, lengths: list[int], tmp_path: Path
) -> None:
    def build(saver: Any) -> Any:
        model = ScriptedChatModel(script=[call("forecast", location="Oslo"), "Sun."])
        return create_react_agent(model, [forecast], checkpointer=saver, version=version, **options)

    config = {"configurable": {"thread_id": "t"}}
    runs = [
        way.invoke_stored(tmp_path / "t.sqlite", build, value, config)
        for value in [QUESTION, *[None] * (len(lengths) - 1)]
    ]
    assert [len(result["messages"]) for result in runs] == lengths
    assert texts(runs[-1]["messages"]) == ["weather in Oslo?", "", "sun over Oslo", "Sun."]


@both_ways
def test_a_named_agent_is_a_node_of_that_name_in_another_graph(way: Any) -> None:
    agent = create_react_agent(ScriptedChatModel(script=["hello"]), [], name="weather_man")
    builder = StateGraph(MessagesState)
    builder.add_node(agent)
    builder.add_edge(START, "weather_man")
    [update] = way.stream(builder.compile(), QUESTION, stream_mode="updates")
    assert list(update) == ["weather_man"]
    assert update["weather_man"]["messages"][-1].name == "weather_man"
