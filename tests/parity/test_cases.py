"""What the generator found, and what people met: the value that is right, on upstream's agent and on agentkit's."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.prebuilt import InjectedState
from pydantic import BaseModel

from agentkit.testing import ScriptedChatModel, call
from tests.legacy import needs_upstream
from tests.parity.parts import AGENTKIT, UPSTREAM, Library, states
from tests.parity.record import Tracer
from tests.ways import both_ways

GO = {"messages": [HumanMessage("go", id="go")]}
libraries = pytest.mark.parametrize(
    "library", [pytest.param(UPSTREAM, marks=needs_upstream, id="upstream"), pytest.param(AGENTKIT, id="agentkit")]
)


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def names(run: Any) -> Any:
    """A run tree as nested names, with the tag of the step."""
    steps = [tag for tag in run.tags or [] if tag.startswith("seq:step")]
    return (run.name, *steps, *map(names, run.child_runs))


def model_forms(model: ScriptedChatModel) -> dict[str, Any]:
    bound = model.bind_tools([add])

    def choose(state: Any, runtime: Any) -> Any:
        return bound

    async def choose_async(state: Any, runtime: Any) -> Any:
        return bound

    return {"chat model": model, "bound": bound, "function": choose, "async function": choose_async}


PROMPTS = {"none": None, "text": "Be brief.", "function": lambda state: state["messages"]}


@libraries
@pytest.mark.parametrize("prompt", list(PROMPTS))
@pytest.mark.parametrize("form", ["chat model", "bound", "function", "async function"])
async def test_the_run_of_an_agent_holds_call_model_and_the_sequence_of_prompt_and_model(
    library: Library, prompt: str, form: str
) -> None:
    tracer = Tracer()
    agent = library.agent(model_forms(ScriptedChatModel(script=["hi"]))[form], [add], prompt=PROMPTS[prompt])
    await agent.ainvoke(GO, {"callbacks": [tracer]})
    assert [names(run) for run in tracer.roots] == [
        (
            "LangGraph",
            (
                "agent",
                ("call_model", "seq:step:1"),
                ("RunnableSequence", "seq:step:1", ("Prompt", "seq:step:1"), ("ScriptedChatModel", "seq:step:2")),
                ("should_continue", "seq:step:3"),
            ),
        )
    ]


@libraries
async def test_events_can_be_told_apart_by_name_and_step(library: Library) -> None:
    agent = library.agent(ScriptedChatModel(script=["hi"]), [add], prompt="Be brief.")
    events = [event async for event in agent.astream_events(GO, version="v2")]
    ends = [(e["name"], [t for t in e["tags"] if t.startswith("seq")]) for e in events if e["event"].endswith("_end")]
    assert ends == [
        ("Prompt", ["seq:step:1"]),
        ("ScriptedChatModel", ["seq:step:2"]),
        ("RunnableSequence", ["seq:step:1"]),
        ("call_model", ["seq:step:1"]),
        ("should_continue", ["seq:step:3"]),
        ("agent", []),
        ("LangGraph", []),
    ]


@libraries
@pytest.mark.parametrize("middleware", [False, True])
def test_a_reply_with_the_id_of_an_earlier_message_ends_the_run(library: Library, middleware: bool) -> None:
    if middleware and library is UPSTREAM:
        pytest.skip("upstream's legacy agent takes no middleware")

    class Quiet(AgentMiddleware[Any, Any]):
        def before_model(self, state: Any, runtime: Any) -> None:
            """Changes nothing."""

    model = ScriptedChatModel(script=["-", AIMessage("again", id="open")])
    history = [
        HumanMessage("one", id="one"),
        AIMessage("", tool_calls=[call("add", id="c", a=1, b=1)], id="open"),
        ToolMessage("2", tool_call_id="c", id="done"),
    ]
    more = {"middleware": [Quiet()]} if middleware else {}
    state = library.agent(model, [add], **more).invoke({"messages": history}, {"recursion_limit": 8})
    assert [(m.type, m.content) for m in state["messages"]] == [("human", "one"), ("ai", "again"), ("tool", "2")]
    assert len(model.calls) == 1


@libraries
@both_ways
def test_the_config_of_a_prompt_has_the_keys_of_every_config(library: Library, way: Any) -> None:
    given = []

    def prompt(state: Any, config: RunnableConfig) -> Any:
        given.append((config["tags"], isinstance(config["recursion_limit"], int), config["metadata"]["langgraph_node"]))
        return state["messages"]

    way.invoke(library.agent(ScriptedChatModel(script=["hi"]), [add], prompt=prompt), GO)
    assert given == [([], True, "agent")]


@libraries
@pytest.mark.parametrize("is_model", [False, True])
def test_beside_a_hook_a_tool_and_a_prompt_see_what_the_hook_set(library: Library, is_model: bool) -> None:
    seen = []

    def value(state: Any, key: str) -> Any:
        return getattr(state, key) if isinstance(state, BaseModel) else state[key]

    @tool
    def look(state: Annotated[Any, InjectedState]) -> str:
        """Look at the state."""
        seen.append(("tool", type(state).__name__, [m.content for m in value(state, "llm_input_messages")]))
        return "seen"

    def prompt(state: Any) -> Any:
        seen.append(("prompt", type(state).__name__, [m.content for m in value(state, "messages")]))
        return value(state, "messages")

    library.agent(
        ScriptedChatModel(script=[call("look"), "done"]),
        [look],
        prompt=prompt,
        pre_model_hook=lambda state: {"llm_input_messages": [*value(state, "messages"), HumanMessage("hint")]},
        state_schema=states(library)["model"] if is_model else None,
    ).invoke(GO, {"recursion_limit": 8})
    kind = "CallModelInputSchema" if is_model else "dict"
    assert seen[:2] == [("prompt", kind, ["go", "hint"]), ("tool", kind, ["go", "hint"])]


@libraries
def test_of_two_faults_the_async_model_function_is_named_first(library: Library) -> None:
    form = model_forms(ScriptedChatModel())["async function"]
    unanswered = [AIMessage("", tool_calls=[call("add", id="c", a=1, b=1)])]
    with pytest.raises(RuntimeError, match="Async model callable provided but agent invoked synchronously"):
        library.agent(form, [add]).invoke({"messages": unanswered})


@libraries
def test_bind_tools_is_given_the_tools_and_nothing_else(library: Library) -> None:
    given = []

    class Strict(ScriptedChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            given.append(kwargs)
            return super().bind_tools(tools, **kwargs)

    model = Strict(script=["hi"])
    library.agent(model, [add]).invoke(GO)
    assert (given, model.calls[0].kwargs) == ([{}], {})


def test_the_scripted_model_shows_a_tool_choice_of_none() -> None:
    model = ScriptedChatModel(script=["hi"])
    model.bind_tools([add], tool_choice=None).invoke("hi")
    assert model.calls[0].kwargs == {"tool_choice": None}


@libraries
def test_schemas_and_drawings_carry_upstreams_names(library: Library) -> None:
    agent = library.agent(ScriptedChatModel(), [add])
    schema = agent.get_input_jsonschema()
    assert (schema["title"], schema["description"], schema["deprecated"]) == (
        "AgentState",
        "The state of the agent.",
        True,
    )
    nodes = {node["id"]: node.get("data") for node in agent.get_graph().to_json()["nodes"]}
    assert nodes["tools"]["id"] == ["langgraph", "prebuilt", "tool_node", "ToolNode"]
    assert nodes["agent"] == {"id": ["langgraph", "_internal", "_runnable", "RunnableCallable"], "name": "agent"}
