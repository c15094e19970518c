"""What is given as `model=` and `prompt=` reaches the model as it was given, in every form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langgraph.runtime import Runtime

from agentkit.prebuilt import ToolNode, create_react_agent
from agentkit.prebuilt.chat_agent_executor import _get_model, _get_prompt_runnable, _should_bind_tools
from agentkit.testing import ScriptedChatModel, call
from tests.ways import both_ways

HELLO = {"messages": [HumanMessage("hello", id="h")]}
SYNC_ASYNC = pytest.mark.parametrize("how", ["sync", "async"])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


TOOLS = list(ToolNode([add]).tools_by_name.values())


def scripted() -> ScriptedChatModel:
    return ScriptedChatModel(script=[call("add", a=1, b=2), "three"], structured={"n": 3})


async def run(agent: Any, how: str, given: Any = HELLO, **kwargs: Any) -> Any:
    return agent.invoke(given, **kwargs) if how == "sync" else await agent.ainvoke(given, **kwargs)


class Broken(ScriptedChatModel):
    """Fails the first two times."""

    left: list[int] = [2]

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        if self.left[0]:
            self.left[0] -= 1
            raise ConnectionError("try again")
        return super()._generate(*args, **kwargs)


# Form -> (what is given, what the model must be told beside its tools, its tags).
FORMS: dict[str, tuple[Callable[[Any], Any], dict[str, Any], list[str]]] = {
    "bind_tools": (
        lambda m: m.bind_tools(TOOLS, tool_choice="any", parallel_tool_calls=False),
        {"tool_choice": "any", "parallel_tool_calls": False},
        [],
    ),
    "bind": (lambda m: m.bind(temperature=0, stop=["x"]), {"temperature": 0}, []),
    "with_config": (lambda m: m.with_config(tags=["mine"]), {}, ["mine"]),
    "bind and with_config": (lambda m: m.bind(temperature=0).with_config(tags=["mine"]), {"temperature": 0}, ["mine"]),
    "with_retry": (lambda m: m.bind(temperature=0).with_retry(), {"temperature": 0}, []),
    "with_fallbacks": (lambda m: m.bind(temperature=0).with_fallbacks([scripted()]), {"temperature": 0}, []),
    "bind_tools with_retry": (lambda m: m.bind_tools(TOOLS, seed=1).with_retry(), {"seed": 1}, []),
    "prompt | model": (lambda m: RunnableLambda(lambda x: x) | m.bind(temperature=0), {"temperature": 0}, []),
    "model | parser": (lambda m: m.bind(temperature=0) | RunnableLambda(lambda x: x), {"temperature": 0}, []),
    "function": (lambda m: lambda state, runtime: m.bind_tools(TOOLS, temperature=0), {"temperature": 0}, []),
}


@SYNC_ASYNC
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("prompt", [None, "Be brief.", lambda state: [SystemMessage("Be brief."), *state["messages"]]])
async def test_everything_that_was_bound_arrives_at_the_model(form: str, prompt: Any, how: str) -> None:
    give, told, tags = FORMS[form]
    model = scripted()
    state = await run(create_react_agent(give(model), [add], prompt=prompt), how)
    assert state["messages"][-1].content == "three"
    assert len(model.calls) == 2
    for request in model.calls:
        assert request.tools == ["add"]
        assert told.items() <= request.kwargs.items()
        assert set(tags) <= set(request.tags)
        system = [m.content for m in request.messages if isinstance(m, SystemMessage)]
        assert system == ([] if prompt is None else ["Be brief."])


@SYNC_ASYNC
async def test_an_async_model_function_is_awaited(how: str) -> None:
    model = scripted()

    async def choose(state: Any, runtime: Any) -> Any:
        return model.bind_tools(TOOLS)

    agent = create_react_agent(choose, [add])
    if how == "sync":
        with pytest.raises(RuntimeError, match="Async model callable provided but agent invoked synchronously"):
            await run(agent, how)
    else:
        assert (await run(agent, how))["messages"][-1].content == "three"


def test_with_retry_tries_again() -> None:
    model = Broken(script=["at last"], left=[2])
    assert (
        create_react_agent(model.with_retry(wait_exponential_jitter=False), []).invoke(HELLO)["messages"][-1].content
        == "at last"
    )


def test_with_fallbacks_falls_back_with_the_tools_bound_on_each() -> None:
    backup = scripted()
    agent = create_react_agent(Broken(left=[99]).with_fallbacks([backup]), [add])
    assert agent.invoke(HELLO)["messages"][-1].content == "three"
    assert backup.calls[0].tools == ["add"]


@SYNC_ASYNC
@pytest.mark.parametrize("form", ["bind", "with_retry", "with_fallbacks", "function", "bind_tools"])
async def test_the_structured_answer_comes_from_the_model_inside(form: str, how: str) -> None:
    schema = {"title": "N", "type": "object", "properties": {"n": {"type": "integer"}}}
    model = scripted()
    agent = create_react_agent(FORMS[form][0](model), [add], response_format=schema)
    assert (await run(agent, how))["structured_response"] == {"n": 3}
    assert [request.schema for request in model.calls if request.schema] == [schema]


def test_a_model_function_gets_state_and_runtime() -> None:
    @dataclass
    class Context:
        loud: bool

    quiet, loud = ScriptedChatModel(script=["psst"]), ScriptedChatModel(script=["HEY"])

    def choose(state: Any, runtime: Runtime[Context]) -> BaseChatModel:
        assert [m.content for m in state["messages"]] == ["hello"]
        return loud if runtime.context.loud else quiet

    agent = create_react_agent(choose, [], context_schema=Context)
    assert agent.invoke(HELLO, context=Context(loud=True))["messages"][-1].content == "HEY"
    assert agent.invoke(HELLO, context=Context(loud=False))["messages"][-1].content == "psst"


class NoToolChoice(ScriptedChatModel):
    """A model written against the oldest form of bind_tools."""

    def bind_tools(self, tools: Any) -> Any:  # type: ignore[override]
        return super().bind_tools(tools)


def test_a_model_whose_bind_tools_takes_nothing_but_tools_works() -> None:
    model = NoToolChoice(script=[call("add", a=1, b=2), "three"])
    assert create_react_agent(model, [add]).invoke(HELLO)["messages"][-1].content == "three"


class NoTools(ScriptedChatModel):
    bind_tools = BaseChatModel.bind_tools


def test_a_model_that_cannot_take_tools_is_refused_when_the_agent_is_built() -> None:
    with pytest.raises(NotImplementedError):
        create_react_agent(NoTools(), [add])
    assert create_react_agent(NoTools(script=["hi"]), []).invoke(HELLO)["messages"][-1].content == "hi"


def test_other_tools_bound_than_given_are_refused() -> None:
    bound = scripted().bind_tools(TOOLS)

    def other(x: int) -> int:
        """Another."""
        return x

    with pytest.raises(ValueError, match="Number of tools in the model"):
        create_react_agent(bound, [add, other])
    with pytest.raises(ValueError, match=r"Missing tools '\{'other'\}' in the model.bind_tools"):
        create_react_agent(bound.with_retry(), [other])


def test_a_sequence_that_does_not_return_a_message_is_an_error_that_says_so() -> None:
    agent = create_react_agent(ScriptedChatModel(script=["hi"]) | RunnableLambda(lambda message: message.content), [])
    with pytest.raises(TypeError, match="returned str, not a message"):
        agent.invoke(HELLO)


@pytest.mark.parametrize("model", [3, None, ["a"]])
def test_what_is_no_model_is_refused_when_the_agent_is_built(model: Any) -> None:
    with pytest.raises(TypeError, match="`model` was given"):
        create_react_agent(model, [])


@pytest.mark.parametrize("returned", [None, "openai:gpt-5.5", ["a"]])
@both_ways
def test_a_model_function_that_returns_no_model_is_an_error_that_says_so(way: Any, returned: Any) -> None:
    agent = create_react_agent(lambda state, runtime: returned, [])
    with pytest.raises(TypeError, match="The function given as `model=` returned"):
        way.invoke(agent, HELLO)


@both_ways
def test_a_model_function_may_return_a_plain_function(way: Any) -> None:
    agent = create_react_agent(lambda state, runtime: lambda messages: AIMessage(f"got {len(messages)}"), [])
    assert way.invoke(agent, HELLO)["messages"][-1].content == "got 1"


def test_provider_tools_are_bound_and_not_run() -> None:
    model = scripted()
    create_react_agent(model, [add, {"type": "web_search"}]).invoke(HELLO)
    assert model.calls[0].tools == ["add", "{'type': 'web_search'}"]


# --- prompts ---


async def async_prompt(state: Any) -> list[Any]:
    return [SystemMessage("s"), *state["messages"]]


class AsyncCallable:
    async def __call__(self, state: Any) -> list[Any]:
        return await async_prompt(state)


PROMPTS = {
    "text": "s",
    "message": SystemMessage("s"),
    "function": lambda state: [SystemMessage("s"), *state["messages"]],
    "template": ChatPromptTemplate.from_messages([("system", "s"), ("placeholder", "{messages}")]),
    "runnable": RunnableLambda(lambda state: [SystemMessage("s"), *state["messages"]]),
    "coroutine": async_prompt,
    "async callable": AsyncCallable(),
}


@SYNC_ASYNC
@pytest.mark.parametrize("form", PROMPTS)
async def test_every_form_of_prompt_makes_what_the_model_reads(form: str, how: str) -> None:
    model = scripted()
    agent = create_react_agent(model, [add], prompt=PROMPTS[form])
    if how == "sync" and form in {"coroutine", "async callable"}:
        with pytest.raises(TypeError, match="No synchronous function provided"):
            agent.invoke(HELLO)
        return
    await run(agent, how)
    assert [[m.type for m in request.messages] for request in model.calls] == [
        ["system", "human"],
        ["system", "human", "ai", "tool"],
    ]


@pytest.mark.parametrize("form", PROMPTS)
@pytest.mark.parametrize("name", ["prompt", "state_modifier"])
def test_the_historical_names_of_prompt_mean_the_same(form: str, name: str) -> None:
    if form in {"coroutine", "async callable"}:
        return
    model = scripted()
    create_react_agent(model, [add], **{name: PROMPTS[form]}).invoke(HELLO)
    assert [m.type for m in model.calls[0].messages] == ["system", "human"]


@SYNC_ASYNC
@pytest.mark.parametrize(
    "modifier",
    [
        "s",
        SystemMessage("s"),
        lambda messages: [SystemMessage("s"), *messages],
        RunnableLambda(lambda messages: [SystemMessage("s"), *messages]),
    ],
)
async def test_messages_modifier_is_given_the_messages(modifier: Any, how: str) -> None:
    model = scripted()
    await run(create_react_agent(model, [add], messages_modifier=modifier), how)
    assert [m.type for m in model.calls[0].messages] == ["system", "human"]


@pytest.mark.parametrize("prompt", [3, ["a"], {"a": 1}])
def test_what_is_no_prompt_is_refused_when_the_agent_is_built(prompt: Any) -> None:
    with pytest.raises(ValueError, match="`prompt` was given"):
        create_react_agent(scripted(), [], prompt=prompt)


@pytest.mark.parametrize(
    "arguments",
    [
        {"prompt": "a", "state_modifier": "b"},
        {"prompt": "a", "messages_modifier": "b"},
        {"state_modifier": "a", "messages_modifier": "b"},
        {"context_schema": dict, "config_schema": dict},
    ],
)
def test_two_arguments_that_say_the_same_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="say the same thing") as caught:
        create_react_agent(scripted(), [], **arguments)
    assert all(f"`{name}`" in str(caught.value) for name in arguments)


def test_an_unknown_argument_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword arguments: \{'promt': 'x'\}"):
        create_react_agent(scripted(), [], promt="x")


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Invalid version v3\. Supported versions are 'v1' and 'v2'"):
        create_react_agent(scripted(), [], version="v3")  # type: ignore[arg-type]


def test_an_unknown_node_to_pause_at_is_refused() -> None:
    with pytest.raises(ValueError, match="`model`"):
        create_react_agent(scripted(), [add], interrupt_before=["model"])


def test_an_error_policy_beside_a_tool_node_is_refused() -> None:
    with pytest.raises(ValueError, match="`handle_tool_errors` is given beside a ToolNode"):
        create_react_agent(scripted(), ToolNode([add]), handle_tool_errors=True)


def test_an_open_tool_call_in_the_history_is_refused_before_the_model_is_asked() -> None:
    model = scripted()
    history = [HumanMessage("hi"), AIMessage("", tool_calls=[call("add", id="c1", a=1, b=2)]), HumanMessage("well?")]
    with pytest.raises(ValueError, match=r"do not have a corresponding ToolMessage.*c1"):
        create_react_agent(model, [add]).invoke({"messages": history})
    assert model.calls == []


def test_a_malformed_tool_call_stays_in_the_thread_as_it_was_written() -> None:
    malformed = {"name": "add", "args": "{", "id": "c1", "error": "x", "type": "invalid_tool_call"}
    broken = AIMessage("", id="a", invalid_tool_calls=[malformed])
    model = ScriptedChatModel(script=["-", "fine"])
    history = [HumanMessage("hi", id="h"), broken, HumanMessage("and?", id="i")]
    state = create_react_agent(model, [add]).invoke({"messages": history})
    assert [m.type for m in state["messages"]] == ["human", "ai", "human", "ai"]
    assert state["messages"][-1].content == "fine"


# --- the helpers that dependents import ---


def test_get_model_finds_the_chat_model_and_refuses_what_has_none() -> None:
    model = scripted()
    for form in (model, model.bind(x=1), model.with_retry(), model.bind(x=1).with_config(tags=["a"]).with_retry()):
        assert _get_model(form) is model
    with pytest.raises(TypeError, match="Expected `model` to be a ChatModel or RunnableBinding"):
        _get_model(RunnableLambda(lambda x: x))


def test_should_bind_tools_reads_openai_and_anthropic_bindings() -> None:
    model = scripted()
    assert _should_bind_tools(model, TOOLS)
    assert _should_bind_tools(model.bind(temperature=0), TOOLS)
    assert not _should_bind_tools(model.bind_tools(TOOLS), TOOLS)
    assert not _should_bind_tools(model.bind(tools=[{"name": "add", "input_schema": {}}]), TOOLS)


def test_a_prompt_runnable_of_none_gives_the_messages() -> None:
    assert _get_prompt_runnable(None).invoke({"messages": ["m"]}) == ["m"]
