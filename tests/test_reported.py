"""Small reports about agents: what middleware changes, names, states, warnings, ids, floors."""

from __future__ import annotations

import warnings
from importlib import metadata
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.warnings import LangGraphDeprecatedSinceV10
from pydantic import BaseModel

from agentkit import AgentkitDeprecationWarning, _compat
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.permissions import FilesystemPermission, path_argument
from agentkit.prebuilt import ToolNode, chat_agent_executor, create_react_agent
from agentkit.testing import ScriptedChatModel, call
from agentkit.tools import tool
from tests.agent_kinds import GO, LEGACY, answers, each_agent
from tests.tool_parts import add
from tests.ways import both_ways

# --- no tools ---


class NoTools(AgentMiddleware):
    """Answer now, without tools."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return handler(request.override(tools=[]))

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        return await handler(request.override(tools=[]))


FORMS: dict[str, Any] = {
    "plain": lambda m: m,
    "bound": lambda m: m.bind(temperature=0),
    "tools bound": lambda m: m.bind_tools([add], tool_choice="add", parallel_tool_calls=False),
    "retry": lambda m: m.with_retry(),
    "fallbacks": lambda m: m.with_fallbacks([m]),
    "tools bound, retry": lambda m: m.bind_tools([add]).with_retry(),
    "sequence": lambda m: (lambda x: x) | m.bind_tools([add]),
    "function": lambda m: lambda state, runtime: m.bind_tools([add]),
}


@both_ways
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prompt", [None, lambda state: state["messages"]], ids=["", "prompt"])
def test_middleware_takes_the_tools_away_from_every_form_of_model(way: Any, form: str, prompt: Any) -> None:
    model = ScriptedChatModel(script=["done"])
    agent = create_react_agent(FORMS[form](model), [add], prompt=prompt, middleware=[NoTools()])
    way.invoke(agent, GO)
    (made,) = model.calls
    assert made.tools == []
    assert made.kwargs == ({"temperature": 0} if form == "bound" else {})


# --- names ---


def save(target: str) -> str:
    """Save."""
    return "saved"


@tool("save")
def save_again(target: str) -> str:
    """Save."""
    return f"saved {target}"


class Brings(AgentMiddleware):
    tools = (save_again,)


GATES: dict[str, Any] = {
    "interrupt_on": {"interrupt_on": {"save": True}},
    "permissions": {"permissions": [FilesystemPermission(["write"], ["/secrets/**"], "deny")]},
    "middleware": {"middleware": [HumanInTheLoopMiddleware({"save": True})]},
}


@each_agent
@pytest.mark.parametrize("where", ["list", "middleware"])
@pytest.mark.parametrize("gate", GATES)
def test_two_tools_of_one_name_are_refused_where_a_gate_is_in_force(kind: Any, where: str, gate: str) -> None:
    own = path_argument("target", "write")(tool(save))
    given = {**GATES[gate], "checkpointer": InMemorySaver()}
    if where == "middleware":
        given["middleware"] = [*given.get("middleware", []), Brings()]
    with pytest.raises(ValueError, match=r"called 'save': \S+test_reported.save .*test_reported.save_again"):
        kind.build([], [own, save_again] if where == "list" else [own], **given)


@each_agent
def test_two_tools_of_one_name_in_a_tool_node_are_refused_too(kind: Any) -> None:
    with pytest.warns(UserWarning, match="Two tools are called 'save'"):
        node = ToolNode([save, save_again])
    with pytest.raises(ValueError, match="Two tools are called 'save'"):
        kind.build([], node, interrupt_on={"save": True}, checkpointer=InMemorySaver())


@each_agent
def test_without_gates_two_tools_of_one_name_are_a_warning_at_the_users_line(kind: Any) -> None:
    with pytest.warns(UserWarning, match="Two tools are called 'save'") as caught:
        kind.build([], [save, save_again])
    assert all(warning.filename != __file__.replace("test_reported", "_tools") for warning in caught)
    assert len({warning.filename for warning in caught}) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        kind.build([], [add, add])  # the same one twice is no conflict


# --- tools from middleware alone ---


@both_ways
@each_agent
@pytest.mark.parametrize("gate", ["interrupt_on", "permissions"])
@pytest.mark.parametrize("tools", [[], ToolNode([])], ids=["list", "node"])
def test_an_agent_whose_tools_are_all_its_middlewares_can_be_gated(kind: Any, way: Any, gate: str, tools: Any) -> None:
    class Files(AgentMiddleware):
        tools = (path_argument("target", "write")(tool(save)),)

    agent, _ = kind.build(
        [call("save", target="/a"), "ok"], tools, middleware=[Files()], checkpointer=InMemorySaver(), **GATES[gate]
    )
    result = way.invoke(agent, GO, {"configurable": {"thread_id": "1"}})
    assert ("__interrupt__" in result) == (gate == "interrupt_on")


# --- a ToolNode on create_agent ---


class Shouting(ToolNode):
    def prepare(self, request: Any, *, is_async: bool) -> Any:
        return super().prepare(
            request.override(tool_call={**request.tool_call, "args": {"a": 10, "b": 1}}), is_async=is_async
        )


@both_ways
def test_create_agent_takes_a_tool_node_and_keeps_what_it_does(way: Any) -> None:
    def broken(a: int) -> str:
        """Break."""
        raise ValueError("no")

    log: list[str] = []

    def wrap(request: Any, execute: Any) -> Any:
        log.append("inner")
        return execute(request)

    class Outer(AgentMiddleware):
        def wrap_tool_call(self, request: Any, handler: Any) -> Any:
            log.append("outer")
            return handler(request)

        async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
            log.append("outer")
            return await handler(request)

    node = Shouting([add, broken], handle_tool_errors="mended", wrap_tool_call=wrap)
    script = [[call("add", a=1, b=2)], [call("broken", a=1)], "end"]
    agent = create_agent(ScriptedChatModel(script=script), node, middleware=[Outer()])
    first, second = answers(way.invoke(agent, GO))
    assert (first.content, second.content, second.status) == ("11", "mended", "error")
    assert log == ["outer", "inner"] * 2
    with pytest.raises(ValueError, match="given beside a ToolNode"):
        create_agent(ScriptedChatModel(), node, handle_tool_errors=True)


# --- states ---


class Answer(BaseModel):
    value: int


class Reference(chat_agent_executor.AgentStateWithStructuredResponsePydantic):
    extra: str = "x"


class Own(chat_agent_executor.AgentStatePydantic):
    structured_response: Answer


@both_ways
@pytest.mark.parametrize("kind", LEGACY, ids=lambda kind: kind.name)
@pytest.mark.parametrize("schema", [Reference, Own])
def test_a_required_structured_response_is_there_at_the_end_only(kind: Any, way: Any, schema: Any) -> None:
    seen: list[Any] = []

    def prompt(state: Any) -> Any:
        seen.append(state)
        return state.messages

    model = ScriptedChatModel(script=[call("add", a=1, b=2), "ok"], structured={"value": 3})
    agent = create_react_agent(model, [add], response_format=Answer, state_schema=schema, prompt=prompt, **kind.kwargs)
    result = way.invoke(agent, GO)
    assert result["structured_response"] == Answer(value=3)
    assert all(isinstance(state, schema) and state.structured_response is None for state in seen)


# --- warnings, ids, floors ---


def test_filters_on_upstreams_category_hold() -> None:
    assert issubclass(AgentkitDeprecationWarning, LangGraphDeprecatedSinceV10)
    with pytest.warns(LangGraphDeprecatedSinceV10, match=r"Upstream deprecated create_react_agent .*\. Use ") as caught:
        create_react_agent(ScriptedChatModel(), [])
    warning: Any = caught[0].message
    assert isinstance(warning, AgentkitDeprecationWarning)
    assert isinstance(warning.since, str)
    assert str(warning) == warning.args[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", LangGraphDeprecatedSinceV10)
        create_react_agent(ScriptedChatModel(), [])


@both_ways
@pytest.mark.parametrize("kept", [1, 2])
def test_replies_to_a_trimmed_history_do_not_overwrite_each_other(way: Any, kept: int) -> None:
    def build(saver: Any) -> Any:
        return create_react_agent(
            ScriptedChatModel(script=[lambda sent: f"re: {sent[-1].content}"] * 9),
            [],
            pre_model_hook=lambda state: {"llm_input_messages": state["messages"][-kept:]},
            checkpointer=saver,
        )

    saver = InMemorySaver()
    for question in ("q", "q", "r", "q"):
        state = way.invoke(build(saver), {"messages": [("user", question)]}, {"configurable": {"thread_id": "1"}})
    assert [message.content for message in state["messages"]] == [
        "q",
        "re: q",
        "q",
        "re: q",
        "r",
        "re: r",
        "q",
        "re: q",
    ]


def test_the_same_conversation_gets_the_same_ids() -> None:
    first, second = (ScriptedChatModel(script=["a"]).invoke("hi").id for _ in range(2))
    assert first == second
    assert ScriptedChatModel(script=["a"]).invoke("ho").id != first


@pytest.mark.parametrize(
    ("installed", "sentence"),
    [
        ({"langgraph": "0.6.11", "langchain": "0.3.27"}, "langchain 0.3.27 and langgraph 0.6.11: "),
        ({"langgraph": "1.2.24"}, "no langchain: "),
    ],
)
def test_versions_below_the_floors_are_a_sentence(installed: Any, sentence: str, monkeypatch: Any) -> None:
    newest = {name: metadata.version(name) for name in ("langgraph-prebuilt", "langchain-core")}
    found = {**newest, "langgraph-checkpoint-sqlite": "3.1.2", **installed}
    (message,) = _compat._below_floors(found)
    assert message.startswith(sentence)
    assert "pip install -U 'langchain>=" in message
    monkeypatch.setattr(_compat, "installed_versions", lambda: found)
    monkeypatch.setattr(_compat, "known_bad", lambda *_, **__: [])
    _compat.check.cache_clear()
    with pytest.raises(ImportError, match="agentkit doctor"):
        _compat.check()
    monkeypatch.undo()
    _compat.check()
    assert _compat._below_floors(_compat.installed_versions()) == []
