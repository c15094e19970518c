"""Middleware of create_agent beside the legacy arguments: who sees what, in which order."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ModelCallLimitMiddleware,
    ToolRetryMiddleware,
    after_model,
    before_model,
    dynamic_prompt,
    hook_config,
    wrap_model_call,
    wrap_tool_call,
)
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from typing_extensions import NotRequired

from agentkit.prebuilt import ToolNode, create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic
from agentkit.testing import ScriptedChatModel, call

HELLO = {"messages": [HumanMessage("hello", id="h")]}
SYNC_ASYNC = pytest.mark.parametrize("how", ["sync", "async"])
VERSIONS = pytest.mark.parametrize("version", ["v1", "v2"])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def run(agent: Any, how: str, given: Any = HELLO) -> Any:
    return agent.invoke(given) if how == "sync" else await agent.ainvoke(given)


class Recorder(AgentMiddleware[Any, Any]):
    """Notes each hook it is called for, sync and async."""

    def __init__(self, log: list[str]) -> None:
        super().__init__()
        self.log = log

    def before_agent(self, state: Any, runtime: Any) -> None:
        self.log.append("before_agent")

    def before_model(self, state: Any, runtime: Any) -> None:
        self.log.append("before_model")

    def after_model(self, state: Any, runtime: Any) -> None:
        self.log.append("after_model")

    def after_agent(self, state: Any, runtime: Any) -> None:
        self.log.append("after_agent")

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        self.log.append("wrap_model_call")
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        self.log.append("wrap_model_call")
        return await handler(request)

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        self.log.append("wrap_tool_call")
        return handler(request)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        self.log.append("wrap_tool_call")
        return await handler(request)


@SYNC_ASYNC
@pytest.mark.parametrize("prompt", [None, lambda state: state["messages"]])
async def test_the_legacy_hooks_stay_nearest_to_the_model(prompt: Any, how: str) -> None:
    log: list[str] = []
    agent = create_react_agent(
        ScriptedChatModel(script=["hi"], structured={"a": 1}),
        [add],
        prompt=prompt,
        pre_model_hook=lambda state: log.append("pre_model_hook") or {},
        post_model_hook=lambda state: log.append("post_model_hook") or {},
        response_format={"title": "A", "type": "object", "properties": {"a": {"type": "integer"}}},
        middleware=[Recorder(log)],
    )
    state = await run(agent, how)
    assert log == [
        "before_agent",
        "before_model",
        "pre_model_hook",
        "wrap_model_call",
        "post_model_hook",
        "after_model",
        "after_agent",
    ]
    assert state["structured_response"] == {"a": 1}


@SYNC_ASYNC
@pytest.mark.parametrize("model", ["chat model", "bound", "function"])
@pytest.mark.parametrize("prompt", ["Be brief.", lambda state: [SystemMessage("Be brief."), *state["messages"]]])
async def test_a_model_call_wrapper_sees_and_overrides_the_messages(model: str, prompt: Any, how: str) -> None:
    scripted = ScriptedChatModel(script=["hi"])
    forms: Any = {"chat model": scripted, "bound": scripted.bind(x=1), "function": lambda state, runtime: scripted}
    seen: list[str] = []

    class Shout(AgentMiddleware[Any, Any]):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            seen.extend(m.content for m in request.messages)
            return handler(request.override(messages=[HumanMessage("HELLO")]))

        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            seen.extend(m.content for m in request.messages)
            return await handler(request.override(messages=[HumanMessage("HELLO")]))

    await run(create_react_agent(forms[model], [], prompt=prompt, middleware=[Shout()]), how)
    assert seen == ["hello"]
    assert [m.content for m in scripted.calls[0].messages] == ["Be brief.", "HELLO"]


@pytest.mark.parametrize("bound", [False, True])
def test_a_model_call_wrapper_overrides_system_message_tools_and_settings(bound: bool) -> None:
    @wrap_model_call
    def change(request: Any, handler: Any) -> Any:
        return handler(
            request.override(
                system_message=SystemMessage("Changed."), tools=request.tools[:1], model_settings={"temperature": 0}
            )
        )

    def other(x: int) -> int:
        """Another."""
        return x

    model = ScriptedChatModel(script=["hi"])
    agent = create_react_agent(
        model.bind(seed=7) if bound else model, [add, other], prompt="Be brief.", middleware=[change]
    )
    agent.invoke(HELLO)
    (request,) = model.calls
    assert request.tools == ["add"]
    assert request.kwargs == {"temperature": 0, **({"seed": 7} if bound else {})}
    assert request.messages[0] == SystemMessage("Changed.")


@SYNC_ASYNC
@pytest.mark.parametrize("prompt", [None, lambda state: [SystemMessage("Be brief."), *state["messages"]]])
async def test_a_model_call_wrapper_overrides_the_model(prompt: Any, how: str) -> None:
    mine, other = ScriptedChatModel(script=["mine"]), ScriptedChatModel(script=["other"])

    class Swap(AgentMiddleware[Any, Any]):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            return handler(request.override(model=other))

        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            return await handler(request.override(model=other))

    state = await run(create_react_agent(mine.bind(x=1), [add], prompt=prompt, middleware=[Swap()]), how)
    assert state["messages"][-1].content == "other"
    assert other.calls[0].tools == ["add"]
    assert len(other.calls[0].messages) == (1 if prompt is None else 2)
    assert mine.calls == []


def test_dynamic_prompt_works_beside_a_legacy_prompt_function() -> None:
    @dynamic_prompt
    def system(request: Any) -> str:
        return f"{len(request.messages)} so far"

    model = ScriptedChatModel(script=["hi"])
    agent = create_react_agent(model, [], prompt=lambda state: state["messages"], middleware=[system])
    agent.invoke(HELLO)
    assert [m.content for m in model.calls[0].messages] == ["1 so far", "hello"]


@VERSIONS
@pytest.mark.parametrize("where", ["before_model", "after_model"])
def test_a_jump_to_the_end_ends_the_run(version: str, where: str) -> None:
    @hook_config(can_jump_to=["end"])
    def stop(state: Any, runtime: Any) -> dict[str, Any]:
        return {"jump_to": "end", "messages": [AIMessage("stopped")]}

    decorator = {"before_model": before_model, "after_model": after_model}[where]
    model = ScriptedChatModel(script=[call("add", a=1, b=2), "never"])
    agent = create_react_agent(model, [add], version=version, middleware=[decorator(can_jump_to=["end"])(stop)])
    state = agent.invoke(HELLO)
    assert state["messages"][-1].content == "stopped"
    assert not any(isinstance(m, ToolMessage) for m in state["messages"])


@VERSIONS
def test_a_jump_back_to_the_model_asks_it_again(version: str) -> None:
    @after_model(can_jump_to=["model"])
    def again(state: Any, runtime: Any) -> dict[str, Any] | None:
        if state["messages"][-1].content == "draft":
            return {"jump_to": "model", "messages": [HumanMessage("better")]}
        return None

    model = ScriptedChatModel(script=["draft", "final"])
    agent = create_react_agent(model, [add], version=version, middleware=[again], pre_model_hook=lambda state: {})
    assert [m.content for m in agent.invoke(HELLO)["messages"]] == ["hello", "draft", "better", "final"]


@VERSIONS
def test_answers_that_middleware_writes_keep_their_tools_from_running(version: str) -> None:
    ran: list[int] = []

    def work(n: int) -> str:
        """Work."""
        ran.append(n)
        return f"worked {n}"

    @after_model
    def refuse_one(state: Any, runtime: Any) -> dict[str, Any] | None:
        calls = [c for c in state["messages"][-1].tool_calls if c["args"]["n"] == 1]
        return {"messages": [ToolMessage("refused", tool_call_id=c["id"], name="work", status="error") for c in calls]}

    script = [[call("work", n=1), call("work", n=2)], call("work", n=1), "done"]
    agent = create_react_agent(ScriptedChatModel(script=script), [work], version=version, middleware=[refuse_one])
    state = agent.invoke(HELLO)
    assert ran == [2]
    assert [m.content for m in state["messages"] if m.type == "tool"] == ["refused", "worked 2", "refused"]
    assert state["messages"][-1].content == "done"


@SYNC_ASYNC
@VERSIONS
async def test_tool_call_wrappers_stand_around_a_users_tool_node_and_its_own_wrapper(version: str, how: str) -> None:
    log: list[str] = []

    def inner(request: Any, execute: Any) -> Any:
        log.append("node's wrapper")
        return execute(request)

    node = ToolNode([add], wrap_tool_call=inner)
    model = ScriptedChatModel(script=[call("add", a=1, b=2), "three"])
    agent = create_react_agent(model, node, version=version, middleware=[Recorder(log)])
    state = await run(agent, how)
    assert [m.content for m in state["messages"]][2:] == ["3", "three"]
    assert [entry for entry in log if "wrap" in entry] == [
        "wrap_model_call",
        "wrap_tool_call",
        "node's wrapper",
        "wrap_model_call",
    ]
    assert node._wrap_tool_call is inner


def test_one_tool_node_in_two_agents_is_not_shared_state() -> None:
    log: list[str] = []
    node = ToolNode([add])
    script: list[Any] = [call("add", a=1, b=2), "three"]
    create_react_agent(ScriptedChatModel(script=script), node, middleware=[Recorder(log)])
    create_react_agent(ScriptedChatModel(script=script), node).invoke(HELLO)
    assert log == []


@VERSIONS
def test_middleware_brings_its_tools(version: str) -> None:
    @tool
    def extra() -> str:
        """Extra."""
        return "from middleware"

    class Brings(AgentMiddleware[Any, Any]):
        tools = [extra]

    for model in (lambda m: m, lambda m: m.bind(x=1)):
        scripted = ScriptedChatModel(script=[[call("extra"), call("add", a=1, b=2)], "done"])
        state = create_react_agent(model(scripted), [add], version=version, middleware=[Brings()]).invoke(HELLO)
        assert sorted(m.content for m in state["messages"] if m.type == "tool") == ["3", "from middleware"]
        assert set(scripted.calls[0].tools) == {"add", "extra"}


class Counted(AgentState):
    turns: NotRequired[int]


class Counts(AgentMiddleware[Any, Any]):
    state_schema = Counted

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any]:
        return {"turns": state.get("turns", 0) + 1}


@pytest.mark.parametrize("pydantic", [False, True])
def test_middleware_state_is_kept_beside_the_users(pydantic: bool) -> None:
    class State(AgentStatePydantic):
        user: str = "nobody"

    seen: list[Any] = []

    def prompt(state: Any) -> list[Any]:
        seen.append(state)
        return list(state.messages if pydantic else state["messages"])

    schema = {"state_schema": State} if pydantic else {}
    model = ScriptedChatModel(script=[call("add", a=1, b=2), "three"])
    agent = create_react_agent(model, [add], prompt=prompt, middleware=[Counts()], **schema)
    state = agent.invoke({**HELLO, "user": "ann"} if pydantic else HELLO)
    assert state["turns"] == 2
    assert state["messages"][-1].content == "three"
    if pydantic:
        assert [(type(s) is State, s.user) for s in seen] == [(True, "ann")] * 2


def test_shipped_middleware_works_on_the_legacy_agent() -> None:
    attempts: list[int] = []

    def flaky() -> str:
        """Fail once."""
        attempts.append(1)
        if len(attempts) == 1:
            raise ConnectionError("once")
        return "ok"

    model = ScriptedChatModel(script=[call("flaky"), call("flaky"), call("flaky"), "never"])
    agent = create_react_agent(
        model,
        [flaky],
        middleware=[
            ToolRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False),
            ModelCallLimitMiddleware(run_limit=2, exit_behavior="end"),
        ],
    )
    state = agent.invoke(HELLO)
    assert [m.content for m in state["messages"] if m.type == "tool"] == ["ok", "ok"]
    assert len(attempts) == 3
    assert "limit" in state["messages"][-1].content.lower()


def test_two_middleware_of_one_name_are_refused() -> None:
    @wrap_tool_call
    def same(request: Any, handler: Any) -> Any:
        return handler(request)

    with pytest.raises(AssertionError, match="remove duplicate middleware"):
        create_react_agent(ScriptedChatModel(), [add], middleware=[same, same])
