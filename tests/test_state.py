"""The user's own state, TypedDict or pydantic, is what the user's functions and tools get."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest
from langchain.agents.middleware import ModelCallLimitMiddleware
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.managed import RemainingSteps
from langgraph.types import Command
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from agentkit.prebuilt import InjectedState, create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentState, AgentStatePydantic
from agentkit.testing import ScriptedChatModel, call

HELLO = {"messages": [HumanMessage("hello", id="h")]}
VERSIONS = pytest.mark.parametrize("version", ["v1", "v2"])
SYNC_ASYNC = pytest.mark.parametrize("how", ["sync", "async"])


class State(AgentStatePydantic):
    user: str = "nobody"
    count: int = Field(default=1, ge=0)


class Strict(AgentStatePydantic):
    model_config = ConfigDict(extra="forbid")
    LIMIT: ClassVar[int] = 3
    user: str = "ann"
    _seen: int = PrivateAttr(default=0)


async def run(agent: Any, how: str, given: Any) -> Any:
    return agent.invoke(given) if how == "sync" else await agent.ainvoke(given)


@VERSIONS
@SYNC_ASYNC
async def test_everyone_gets_the_pydantic_instance_with_its_defaults(version: str, how: str) -> None:
    seen: dict[str, Any] = {}

    def saw(where: str, state: Any) -> None:
        seen[where] = (isinstance(state, State), state.user, state.count)

    @tool
    def who(state: Annotated[State, InjectedState]) -> str:
        """Say who."""
        saw("tool", state)
        return state.user

    def prompt(state: State) -> list[Any]:
        saw("prompt", state)
        return [SystemMessage(f"You talk to {state.user}."), *state.messages]

    def pre(state: State) -> dict[str, Any]:
        saw("pre_model_hook", state)
        return {"llm_input_messages": state.messages}

    def post(state: State) -> dict[str, Any]:
        saw("post_model_hook", state)
        return {}

    model = ScriptedChatModel(script=[call("who"), "done"])

    def choose(state: State, runtime: Any) -> Any:
        saw("model", state)
        return model.bind_tools([who])

    hooks = {"pre_model_hook": pre} | ({"post_model_hook": post} if version == "v2" else {})
    agent = create_react_agent(choose, [who], prompt=prompt, state_schema=State, version=version, **hooks)
    state = await run(agent, how, {**HELLO, "user": "ann"})
    assert state["messages"][2].content == "ann"
    assert seen == dict.fromkeys(["tool", "prompt", "model", *hooks], (True, "ann", 1))
    assert model.calls[0].messages[0].content == "You talk to ann."


@pytest.mark.parametrize("text", ["You talk to {user}.", "Talk to {user}, {count} times.", "Be brief."])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda template: template,
        lambda template: template.with_config(tags=["t"]),
        lambda template: template | (lambda value: value.to_messages()),
    ],
    ids=["template", "bound", "sequence"],
)
@SYNC_ASYNC
async def test_a_chat_prompt_template_reads_the_pydantic_state(how: str, text: str, wrap: Any) -> None:
    template = ChatPromptTemplate.from_messages([("system", text), ("placeholder", "{messages}")])
    model = ScriptedChatModel(script=["hi"])
    await run(create_react_agent(model, [], prompt=wrap(template), state_schema=State), how, {**HELLO, "user": "ann"})
    sent = model.calls[0].messages
    assert sent[0].content == text.format(user="ann", count=State.model_fields["count"].default)
    assert len(sent) == 2


@pytest.mark.parametrize("prompt", [None, "Be brief.", lambda state: state.messages])
@pytest.mark.parametrize("wrong", [{"count": "many"}, {"count": -1}, {"user": 3}])
@SYNC_ASYNC
async def test_a_wrong_type_in_the_input_is_refused_before_the_model_is_asked(
    prompt: Any, wrong: dict[str, Any], how: str
) -> None:
    model = ScriptedChatModel(script=["hi"])
    with pytest.raises(ValidationError):
        await run(create_react_agent(model, [], prompt=prompt, state_schema=State), how, {**HELLO, **wrong})
    assert model.calls == []


@VERSIONS
def test_a_wrong_type_that_a_tool_writes_is_refused(version: str) -> None:
    @tool
    def spoil(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Write nonsense."""
        return Command(update={"count": "many", "messages": [ToolMessage("ok", tool_call_id=tool_call_id)]})

    model = ScriptedChatModel(script=[call("spoil"), "never said"])
    with pytest.raises(ValidationError, match="count"):
        create_react_agent(model, [spoil], state_schema=State, version=version).invoke(HELLO)
    assert len(model.calls) == 1


@pytest.mark.parametrize("prompt", [None, lambda state: state.messages])
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_pydantic_state_may_forbid_extras_and_have_class_and_private_attributes(prompt: Any, version: str) -> None:
    @tool
    def who(state: Annotated[Strict, InjectedState]) -> str:
        """Say who."""
        return f"{state.user} {state.LIMIT} {state._seen}"

    agent = create_react_agent(
        ScriptedChatModel(script=[call("who"), "done"]),
        [who],
        prompt=prompt,
        pre_model_hook=lambda state: {"llm_input_messages": state.messages},
        state_schema=Strict,
        version=version,
        middleware=[ModelCallLimitMiddleware(run_limit=5)],
    )
    assert [m.content for m in agent.invoke(HELLO)["messages"]][2:] == ["ann 3 0", "done"]


def test_a_plain_base_model_with_the_two_fields_will_do() -> None:
    class Plain(BaseModel):
        messages: Annotated[list[Any], lambda old, new: [*old, *new]]
        remaining_steps: RemainingSteps = 25
        extra: int = 7

    agent = create_react_agent(
        ScriptedChatModel(script=["hi"]), [], prompt=lambda state: [f"{state.extra}"], state_schema=Plain
    )
    assert [m.content for m in agent.invoke(HELLO)["messages"]] == ["hello", "hi"]


@VERSIONS
@SYNC_ASYNC
async def test_a_tool_is_injected_fields_of_a_typed_state(version: str, how: str) -> None:
    class Typed(AgentState):
        user: str

    @tool
    def who(
        user: Annotated[str, InjectedState("user")],
        steps: Annotated[int, InjectedState("remaining_steps")],
        state: Annotated[dict, InjectedState],
    ) -> str:
        """Say who."""
        assert steps > 0
        return f"{user} {len(state['messages'])}"

    agent = create_react_agent(
        ScriptedChatModel(script=[call("who"), "done"]), [who], state_schema=Typed, version=version
    )
    state = await run(agent, how, {**HELLO, "user": "ann"})
    assert state["messages"][2].content == "ann 2"


@pytest.mark.parametrize("missing", ["messages", "remaining_steps"])
def test_a_schema_without_a_required_key_is_refused(missing: str) -> None:
    fields = {"messages": list, "remaining_steps": RemainingSteps}
    del fields[missing]
    with pytest.raises(ValueError, match=rf"Missing required key\(s\) \{{'{missing}'\}} in state_schema"):
        create_react_agent(ScriptedChatModel(), [], state_schema=type("Bad", (), {"__annotations__": fields}))


def test_a_schema_without_structured_response_is_refused_beside_a_response_format() -> None:
    with pytest.raises(ValueError, match="structured_response"):
        create_react_agent(ScriptedChatModel(), [], state_schema=State, response_format={"title": "A"})


def test_the_state_of_the_thread_has_the_users_keys_and_no_others(reopen: Any) -> None:
    agent = create_react_agent(ScriptedChatModel(script=["hi"]), [], checkpointer=reopen())
    config = {"configurable": {"thread_id": "1"}}
    agent.invoke(HELLO, config)
    assert set(agent.get_state(config).values) == {"messages"}
    assert isinstance(agent.get_state(config).values["messages"][-1], AIMessage)
