"""The same generated conversation through upstream's legacy agent and through agentkit."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.managed import RemainingSteps
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from agentkit.prebuilt import InjectedState, ToolNode, create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentState, AgentStatePydantic
from agentkit.testing import ScriptedChatModel, assert_parity, call
from tests.legacy import needs_upstream, upstream_react_agent

pytestmark = needs_upstream


def merge(old: list[str], new: list[str]) -> list[str]:
    return [*old, *new]


class TypedState(AgentState):
    notes: Annotated[list[str], merge]
    structured_response: Any


class ModelState(AgentStatePydantic):
    remaining_steps: RemainingSteps = 25
    notes: Annotated[list[str], merge] = []
    structured_response: Any = None


class Answer(BaseModel):
    """The answer."""

    text: str


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    get_stream_writer()(f"adding {a}")
    return a + b


@tool
def fail(how: str) -> str:
    """Fail."""
    raise {"value": ValueError, "key": KeyError}[how](how)


@tool
def note(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Take a note."""
    return Command(update={"notes": [text], "messages": [ToolMessage(f"noted {text}", tool_call_id=tool_call_id)]})


@tool
def bare_command(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Forget to answer."""
    return Command(update={"notes": ["x"]})


@tool(return_direct=True)
def direct(text: str) -> str:
    """Answer at once."""
    return text


@tool
def count(state: Annotated[Any, InjectedState]) -> str:
    """Say what the state is and how much of it there is."""
    messages = state["messages"] if isinstance(state, dict) else state.messages
    return f"{type(state).__name__} {len(messages)}"


@tool
def ask(question: str) -> str:
    """Ask the person."""
    return f"told {interrupt(question)}"


TOOLS = [add, fail, note, bare_command, direct, count, ask]
WORDS = st.sampled_from(["a", "b", "two words"])
SAFE = st.one_of(
    st.builds(lambda a: call("add", a=a, b=1), st.integers(0, 3)),
    st.builds(lambda text: call("note", text=text), WORDS),
    st.builds(lambda text: call("direct", text=text), WORDS),
    st.just(call("count")),
    st.just(call("unknown", x=1)),
)
# These end the step, and what a parallel task has said by then is chance; so they stand alone.
ENDING = st.one_of(
    st.just(call("add", a="x", b=1)),
    st.builds(lambda how: call("fail", how=how), st.sampled_from(["value", "key"])),
    st.just(call("ask", question="ok?")),
    st.just(call("bare_command")),
)
TURNS = st.lists(st.one_of(st.lists(SAFE, min_size=1, max_size=3), ENDING, WORDS), min_size=1, max_size=4)


def by_state(state: Any) -> list[Any]:
    messages = state["messages"] if isinstance(state, dict) else state.messages
    kind = "model" if isinstance(state, ModelState) else type(state).__name__
    return [SystemMessage(kind), *messages]


async def async_prompt(state: Any) -> list[Any]:
    return by_state(state)


PROMPTS = {
    "none": None,
    "text": "Be brief.",
    "message": SystemMessage("Be brief."),
    "function": by_state,
    "template": ChatPromptTemplate.from_messages([("system", "Be brief."), ("placeholder", "{messages}")]),
}
PRE_HOOKS = {
    "none": None,
    "nothing": lambda state: {},
    "llm input": lambda state: {"llm_input_messages": [HumanMessage("only this")]},
    "note": lambda state: {"notes": ["pre"], "llm_input_messages": by_state(state)},
}
POST_HOOKS = {"none": None, "nothing": lambda state: {}, "note": lambda state: {"notes": ["post"]}}
FORMS = {
    "chat model": lambda model: model,
    "bound": lambda model: model.bind_tools(TOOLS, temperature=0),
    "function": lambda model: lambda state, runtime: model.bind_tools(TOOLS),
}


@st.composite
def agents(draw: st.DrawFn) -> dict[str, Any]:
    pydantic = draw(st.booleans())
    prompts = ["none", "text", "message", "function"] if pydantic else list(PROMPTS)
    version = draw(st.sampled_from(["v1", "v2"]))
    return {
        "version": version,
        "state_schema": ModelState if pydantic else TypedState,
        "prompt": PROMPTS[draw(st.sampled_from(prompts))],
        # Upstream demands llm_input_messages of a hook on a pydantic state; agentkit does not.
        "pre_model_hook": PRE_HOOKS[draw(st.sampled_from(["none", "llm input"] if pydantic else list(PRE_HOOKS)))],
        "post_model_hook": None if version == "v1" else POST_HOOKS[draw(st.sampled_from(list(POST_HOOKS)))],
        "response_format": draw(st.sampled_from([None, Answer, ("In short.", Answer)])),
        "name": draw(st.sampled_from([None, "bob"])),
        "interrupt_before": draw(st.sampled_from([None, ["tools"], ["agent"]])),
        "interrupt_after": draw(st.sampled_from([None, ["tools"], ["agent"]])),
    }


INPUTS = [
    {"messages": [HumanMessage("one")], "notes": []},
    None,
    Command(resume="yes"),
    None,
    {"messages": [HumanMessage("two")]},
]


@given(
    arguments=agents(),
    form=st.sampled_from(list(FORMS)),
    script=TURNS,
    policy=st.sampled_from([None, True, "OOPS", (ValueError,)]),
    # A hook that hides the history makes the scripted model ask for its first tool for ever.
    limit=st.sampled_from([14, 14, 2, 3, 5, 8]),
)
def test_generated_conversations_are_equal(
    arguments: dict[str, Any], form: str, script: list[Any], policy: Any, limit: int
) -> None:
    def build(factory: Any, node: type[ToolNode]) -> Any:
        def built(model: ScriptedChatModel) -> Any:
            tools: Any = TOOLS if policy is None else node(TOOLS, handle_tool_errors=policy)
            return factory(FORMS[form](model), tools, checkpointer=InMemorySaver(), **arguments)

        return built

    assert_parity(
        build(upstream_react_agent, ToolNode.__mro__[2]),
        build(create_react_agent, ToolNode),
        INPUTS,
        node_names={},
        model=lambda: ScriptedChatModel(script=script, structured={"text": "42"}),
        config={"recursion_limit": limit},
    )


# --- the modes whose chunks carry ids and times ---


def plain(chunk: dict[str, Any]) -> Any:
    """What a debug chunk says, without ids, times and versions."""
    payload = chunk.get("payload", chunk)
    said = {"type": chunk.get("type"), "step": chunk.get("step"), **{k: payload.get(k) for k in ("name", "next")}}
    for key in ("result", "values", "input"):
        value = payload.get(key)
        if isinstance(value, dict):
            said[key] = {
                k: [getattr(m, "content", m) for m in v] if isinstance(v, list) else v for k, v in value.items()
            }
    said["error"], said["interrupts"] = payload.get("error"), len(payload.get("interrupts") or ())
    if "tasks" in payload:
        said["tasks"] = [task["name"] for task in payload["tasks"]]
    return said


@pytest.mark.parametrize("mode", ["debug", "tasks", "checkpoints"])
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("pause", [None, ["tools"]])
async def test_debug_streams_are_equal(mode: Any, version: str, pause: Any) -> None:
    said = []
    for factory in (upstream_react_agent, create_react_agent):
        for how in ("sync", "async"):
            agent = factory(
                ScriptedChatModel(script=[call("add", a=1, b=2), "done"]),
                [add],
                pre_model_hook=lambda state: {},
                checkpointer=InMemorySaver(),
                version=version,
                interrupt_before=pause,
            )
            config = {"configurable": {"thread_id": "1"}}
            chunks = []
            for value in ({"messages": [HumanMessage("one")]}, None):
                if how == "sync":
                    chunks += list(agent.stream(value, config, stream_mode=mode))
                else:
                    chunks += [chunk async for chunk in agent.astream(value, config, stream_mode=mode)]
            said.append([plain(chunk) for chunk in chunks])
    upstream, upstream_async, ours, ours_async = said
    if version == "v2":
        # Upstream sends the whole state along with each call; agentkit sends the call.
        for chunks in said:
            for chunk in chunks:
                if chunk["name"] == "tools":
                    chunk.pop("input", None)
    assert ours == upstream
    assert ours_async == upstream_async
    assert len(ours) > 4
