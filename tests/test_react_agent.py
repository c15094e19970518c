"""What users of create_react_agent reported, each with the right behaviour."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, ToolException, tool
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, MessagesState
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from pydantic import BaseModel

from agentkit.agents import create_agent
from agentkit.prebuilt import InjectedState, InjectedStore, ToolNode, ToolRuntime, create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentState
from agentkit.testing import ScriptedChatModel, call
from tests.legacy import needs_upstream, upstream_react_agent

HELLO = {"messages": [HumanMessage("hello", id="h")]}
VERSIONS = pytest.mark.parametrize("version", ["v1", "v2"])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def texts(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [(message.type, message.content) for message in state["messages"]]


# --- L1: what pre_model_hook says the model gets ---


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_an_empty_llm_input_reaches_the_model_as_an_empty_list(how: str) -> None:
    model = ScriptedChatModel(script=["hi"])
    agent = create_react_agent(model, [], pre_model_hook=lambda state: {"llm_input_messages": []})
    state = agent.invoke(HELLO) if how == "sync" else await agent.ainvoke(HELLO)
    assert model.calls[0].messages == []
    assert texts(state) == [("human", "hello"), ("ai", "hi")]


@pytest.mark.parametrize("update", [{}, {"llm_input_messages": None}])
def test_without_llm_input_the_model_gets_the_history(update: dict[str, Any]) -> None:
    model = ScriptedChatModel(script=["hi"])
    create_react_agent(model, [], pre_model_hook=lambda state: update).invoke(HELLO)
    assert [message.content for message in model.calls[0].messages] == ["hello"]


def test_pydantic_state_takes_a_hook_that_only_rewrites_the_messages() -> None:
    from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic

    class State(AgentStatePydantic):
        pass

    def trim(state: State) -> dict[str, Any]:
        return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), HumanMessage("short")]}

    model = ScriptedChatModel(script=["hi"])
    agent = create_react_agent(model, [], pre_model_hook=trim, state_schema=State)
    assert texts(agent.invoke(HELLO)) == [("human", "short"), ("ai", "hi")]


# --- L2: a call id that comes back ---


@VERSIONS
@pytest.mark.parametrize("hook", [None, lambda state: {}])
def test_a_tool_called_twice_under_one_id_runs_twice(version: str, hook: Any) -> None:
    ran: list[int] = []

    def work(n: int) -> str:
        """Work."""
        ran.append(n)
        return f"worked {n}"

    model = ScriptedChatModel(script=[call("work", id="call_1", n=1), call("work", id="call_1", n=2), "done"])
    hooks = {} if hook is None else {"post_model_hook": hook}
    state = create_react_agent(model, [work], version=version, **hooks).invoke(HELLO)
    assert ran == [1, 2]
    assert texts(state)[-2:] == [("tool", "worked 2"), ("ai", "done")]


# --- L3: tools that fail ---


def failing(how: type[Exception] = ValueError) -> Any:
    @tool
    def fail() -> str:
        """Fail."""
        raise how("kaboom")

    return fail


BUILDERS = pytest.mark.parametrize(
    "build",
    [
        pytest.param(lambda *a, **k: create_react_agent(*a, version="v1", **k), id="react-v1"),
        pytest.param(lambda *a, **k: create_react_agent(*a, version="v2", **k), id="react-v2"),
        pytest.param(create_agent, id="create_agent"),
    ],
)


@BUILDERS
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_what_a_tool_raises_is_raised_by_default(build: Any, how: str) -> None:
    agent = build(ScriptedChatModel(script=[call("fail"), "done"]), [failing()])
    with pytest.raises(ValueError, match="kaboom"):
        agent.invoke(HELLO) if how == "sync" else await agent.ainvoke(HELLO)


def _on_value_error(error: ValueError) -> str:
    return f"told: {error}"


@BUILDERS
@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (True, "Error: ValueError('kaboom')\n Please fix your mistakes."),
        ("OOPS", "OOPS"),
        (ValueError, "Error: ValueError('kaboom')\n Please fix your mistakes."),
        ((KeyError, ValueError), "Error: ValueError('kaboom')\n Please fix your mistakes."),
        (_on_value_error, "told: kaboom"),
    ],
)
async def test_a_handled_error_is_told_to_the_model_and_the_run_goes_on(
    build: Any, how: str, policy: Any, told: str
) -> None:
    agent = build(ScriptedChatModel(script=[call("fail"), "sorry"]), [failing()], handle_tool_errors=policy)
    state = agent.invoke(HELLO) if how == "sync" else await agent.ainvoke(HELLO)
    assert texts(state)[2:] == [("tool", told), ("ai", "sorry")]
    assert state["messages"][2].status == "error"


@BUILDERS
@pytest.mark.parametrize("policy", [False, KeyError, (KeyError, TypeError)])
def test_an_error_that_the_policy_does_not_name_is_raised(build: Any, policy: Any) -> None:
    agent = build(ScriptedChatModel(script=[call("fail"), "done"]), [failing()], handle_tool_errors=policy)
    with pytest.raises(ValueError, match="kaboom"):
        agent.invoke(HELLO)


@BUILDERS
def test_a_tool_exception_is_handled_as_any_other(build: Any) -> None:
    raised = build(ScriptedChatModel(script=[call("fail")]), [failing(ToolException)])
    with pytest.raises(ToolException, match="kaboom"):
        raised.invoke(HELLO)
    handled = build(
        ScriptedChatModel(script=[call("fail"), "sorry"]), [failing(ToolException)], handle_tool_errors=True
    )
    assert handled.invoke(HELLO)["messages"][2].content.startswith("Error: ToolException('kaboom')")


# --- L5: return_direct ---


@VERSIONS
@pytest.mark.parametrize("calls", [1, 2])
def test_a_failed_return_direct_tool_goes_back_to_the_model(version: str, calls: int) -> None:
    @tool(return_direct=True)
    def answer(n: int) -> str:
        """Answer at once."""
        if n < 0:
            raise ValueError("negative")
        return str(n)

    tries = [call("answer", n=-1), call("answer", n=1)][:calls]
    model = ScriptedChatModel(script=[tries, call("answer", n=7), "never said"])
    agent = create_react_agent(model, [answer], handle_tool_errors=True, version=version)
    state = agent.invoke(HELLO)
    assert state["messages"][2].status == "error"
    assert texts(state)[-1] == ("tool", "7")
    assert len(model.calls) == 2


@VERSIONS
def test_a_direct_answer_beside_another_tool_ends_the_run(version: str) -> None:
    @tool(return_direct=True)
    def answer() -> str:
        """Answer at once."""
        return "direct"

    model = ScriptedChatModel(script=[[call("answer"), call("add", a=1, b=2)], "never said"])
    state = create_react_agent(model, [answer, add], version=version).invoke(HELLO)
    assert texts(state)[2:] == [("tool", "direct"), ("tool", "3")]


# --- L8: response_format with a prompt of its own ---


class City(BaseModel):
    """A city."""

    name: str


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_the_structured_answer_is_one_more_call_with_its_own_system_message(how: str) -> None:
    model = ScriptedChatModel(script=[call("add", a=1, b=2), "Paris it is"], structured={"name": "Paris"})
    agent = create_react_agent(model, [add], prompt="Be brief.", response_format=("extract the city", City))
    state = agent.invoke(HELLO) if how == "sync" else await agent.ainvoke(HELLO)

    assert state["structured_response"] == City(name="Paris")
    structured = [request for request in model.calls if request.schema is not None]
    assert len(model.calls) == 3
    assert [request.schema for request in structured] == [City]
    assert structured[0].messages == [SystemMessage("extract the city"), *state["messages"]]
    assert texts(state) == [("human", "hello"), ("ai", ""), ("tool", "3"), ("ai", "Paris it is")]


@pytest.mark.parametrize(
    "schema",
    [City, {"title": "City", "type": "object", "properties": {"name": {"type": "string"}}}],
    ids=["pydantic", "json-schema"],
)
def test_the_structured_answer_takes_any_schema(schema: Any) -> None:
    model = ScriptedChatModel(script=["Paris"], structured={"name": "Paris"})
    answer = create_react_agent(model, [], response_format=schema).invoke(HELLO)["structured_response"]
    assert answer == (City(name="Paris") if schema is City else {"name": "Paris"})


# --- L10: parameters the model does not see ---


class Query(BaseModel):
    """What the model fills in."""

    text: str


@VERSIONS
@pytest.mark.parametrize("how", ["sync", "async"])
async def test_injected_parameters_that_the_schema_does_not_declare_are_injected_and_hidden(
    version: str, how: str
) -> None:
    seen: dict[str, Any] = {}

    @tool(args_schema=Query)
    def search(
        text: str,
        state: Annotated[dict, InjectedState],
        store: Annotated[Any, InjectedStore()],
        runtime: ToolRuntime,
        tool_call_id: Annotated[str, InjectedToolCallId],
    ) -> str:
        """Search."""
        seen.update(text=text, turns=len(state["messages"]), store=store, id=runtime.tool_call_id, own=tool_call_id)
        return "found"

    store = InMemoryStore()
    model = ScriptedChatModel(script=[call("search", id="c1", text="x"), "done"])
    agent = create_react_agent(model, [search], store=store, version=version)
    state = agent.invoke(HELLO) if how == "sync" else await agent.ainvoke(HELLO)
    assert texts(state)[2] == ("tool", "found")
    assert seen == {"text": "x", "turns": 2, "store": store, "id": "c1", "own": "c1"}
    assert list(search.tool_call_schema.model_json_schema()["properties"]) == ["text"]


# --- L11: the step limit ---


def _outcome(build: Any, limit: int, version: str) -> Any:
    model = ScriptedChatModel(script=[call("add", a=1, b=n) for n in range(20)])
    agent = build(model, [add], version=version)
    try:
        return texts(agent.invoke(HELLO, {"recursion_limit": limit}))
    except GraphRecursionError:
        return GraphRecursionError


@needs_upstream
@VERSIONS
@pytest.mark.parametrize("limit", range(1, 10))
def test_at_each_step_limit_the_outcome_is_upstreams(limit: int, version: str) -> None:
    assert _outcome(create_react_agent, limit, version) == _outcome(upstream_react_agent, limit, version)


@pytest.mark.parametrize("limit", [2, 4, 8])
def test_at_an_even_limit_the_agent_says_that_it_needs_more_steps(limit: int) -> None:
    got = _outcome(create_react_agent, limit, "v2")
    assert got[-1] == ("ai", "Sorry, need more steps to process this request.")
    assert len(got) == limit


@pytest.mark.parametrize("limit", [1, 3, 9])
def test_at_an_odd_limit_it_raises(limit: int) -> None:
    assert _outcome(create_react_agent, limit, "v2") is GraphRecursionError


# --- L12: parallel Commands ---


def test_updates_of_parallel_commands_are_all_seen_under_the_tools_node() -> None:
    class State(AgentState):
        notes: Annotated[list[str], lambda old, new: old + new]

    @tool
    def note(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Take a note."""
        return Command(update={"notes": [text], "messages": [ToolMessage("noted", tool_call_id=tool_call_id)]})

    model = ScriptedChatModel(script=[[call("note", text=t) for t in "abc"], "done"])
    agent = create_react_agent(model, [note], state_schema=State)
    chunks = list(agent.stream({**HELLO, "notes": []}, stream_mode="updates"))
    assert sorted(n for chunk in chunks for n in chunk.get("tools", {}).get("notes", [])) == ["a", "b", "c"]
    assert [next(iter(chunk)) for chunk in chunks] == ["agent", "tools", "tools", "tools", "agent"]


# --- as a part of other graphs ---


@pytest.mark.parametrize("how", ["sync", "async"])
async def test_it_is_a_node_of_a_parent_graph_under_its_name(how: str, reopen: Any) -> None:
    def build() -> Any:
        agent = create_react_agent(
            ScriptedChatModel(script=[call("add", a=1, b=2), "three"]), [add], name="adder", interrupt_before=["tools"]
        )
        graph = StateGraph(MessagesState)
        graph.add_node(agent)
        graph.add_edge(START, "adder")
        graph.add_edge("adder", END)
        return graph.compile(checkpointer=reopen())

    config = {"configurable": {"thread_id": "1"}}
    build().invoke(HELLO, config)
    parent = build()
    inner = parent.get_state(config, subgraphs=True).tasks[0].state
    assert inner.next == ("tools",)
    state = parent.invoke(None, config)
    assert texts(state)[-1] == ("ai", "three")
    assert [m.name for m in state["messages"] if isinstance(m, AIMessage)] == ["adder", "adder"]


def test_update_state_as_the_agent_node_redirects_the_run(reopen: Any) -> None:
    def build() -> Any:
        return create_react_agent(
            ScriptedChatModel(script=[call("add", a=1, b=2)]), [add], checkpointer=reopen(), interrupt_before=["tools"]
        )

    config = {"configurable": {"thread_id": "1"}}
    build().invoke(HELLO, config)
    agent = build()
    asked = agent.get_state(config).values["messages"][-1]
    edited = AIMessage("", id=asked.id, tool_calls=[call("add", id="c", a=10, b=20)])
    agent.update_state(config, {"messages": [edited]}, as_node="agent")
    assert agent.get_state(config).next == ("tools",)
    assert texts(agent.invoke(None, config))[2] == ("tool", "30")
    sources = [snapshot.metadata["source"] for snapshot in agent.get_state_history(config)]
    assert sources.count("update") == 1


def test_it_batches_and_draws_with_the_legacy_names() -> None:
    agent = create_react_agent(ScriptedChatModel(script=[call("add", a=1, b=2), "three"]), [add])
    assert [texts(state)[-1] for state in agent.batch([HELLO, HELLO])] == [("ai", "three")] * 2
    assert set(agent.get_graph().nodes) == {"__start__", "agent", "tools", "__end__"}


async def test_astream_events_name_the_legacy_nodes() -> None:
    agent = create_react_agent(ScriptedChatModel(script=[call("add", a=1, b=2), "it is three"]), [add])
    events = [event async for event in agent.astream_events(HELLO, version="v2")]
    chain = {event["name"] for event in events if event["event"] == "on_chain_start"}
    assert {"agent", "tools"} <= chain
    tokens = [
        event["data"]["chunk"].content
        for event in events
        if event["event"] == "on_chat_model_stream" and event["metadata"]["langgraph_node"] == "agent"
    ]
    assert "".join(tokens) == "it is three"


async def test_tokens_stream_in_messages_mode_async() -> None:
    agent = create_react_agent(ScriptedChatModel(script=["one two three"]), [])
    chunks = [c async for c, meta in agent.astream(HELLO, stream_mode="messages") if meta["langgraph_node"] == "agent"]
    assert [c.content for c in chunks if c.content] == ["one ", "two ", "three"]


@VERSIONS
def test_a_tool_node_is_the_node_that_runs(version: str) -> None:
    class Loud(ToolNode):
        def _run_one(self, tool_call: Any, *args: Any) -> Any:
            message = super()._run_one(tool_call, *args)
            message.content = message.content.upper()
            return message

    def shout(text: str) -> str:
        """Say it."""
        return text

    node = Loud([shout], handle_tool_errors="custom text")
    agent = create_react_agent(ScriptedChatModel(script=[call("shout", text="hey"), "done"]), node, version=version)
    assert texts(agent.invoke(HELLO))[2] == ("tool", "HEY")
    assert agent.builder.nodes["tools"].runnable is node


def test_post_model_hook_works_with_v1_too_in_one_task_for_all_calls() -> None:
    model = ScriptedChatModel(script=[[call("add", a=1, b=2), call("add", a=3, b=4)], "done"])
    agent = create_react_agent(model, [add], post_model_hook=lambda state: {}, version="v1")
    chunks = [next(iter(chunk)) for chunk in agent.stream(HELLO, stream_mode="updates")]
    assert chunks == ["agent", "post_model_hook", "tools", "agent", "post_model_hook"]
