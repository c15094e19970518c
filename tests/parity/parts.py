"""What a generated agent is made of: tools, prompts, hooks, states, models.

Everything of the user's says through `see` what it was given, so that this is compared too.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from dataclasses import dataclass
from operator import add as concat
from typing import Annotated, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.tools import BaseTool, InjectedToolCallId, StructuredTool, tool
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.managed import IsLastStep, RemainingSteps
from langgraph.prebuilt import InjectedState, InjectedStore
from langgraph.prebuilt.tool_node import ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from agentkit.testing import ScriptedChatModel

SEEN: list[Any] = []


def see(who: str, *given: Any, **named: Any) -> None:
    """Write down what a function of the user's was given."""
    SEEN.append((who, *map(_seen, given), {key: _seen(value) for key, value in named.items()}))


def _seen(value: Any) -> Any:
    if isinstance(value, Runtime | ToolRuntime):
        return {"runtime": type(value).__name__, "context": value.context, "store": type(value.store).__name__}
    if isinstance(value, BaseModel) and hasattr(value, "messages"):
        return {"class": type(value).__name__, **_held(dict(value))}
    if isinstance(value, dict) and "configurable" in value:
        kept = {key: value.get(key) for key in ("tags", "metadata", "recursion_limit", "max_concurrency")}
        public = {key: item for key, item in value["configurable"].items() if not key.startswith("__")}
        return {**kept, "configurable": public, "keys": sorted(value)}
    return _held(value) if isinstance(value, dict) else value


def _held(state: dict[str, Any]) -> dict[str, Any]:
    messages = {"messages": [message.content for message in state["messages"]]} if "messages" in state else {}
    return {**state, **messages}


# --- the two libraries ---


@dataclass(frozen=True)
class Library:
    """The names that code imports from `langgraph.prebuilt`, of upstream or of agentkit."""

    home: str

    def __getattr__(self, name: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for module in (f"{self.home}.chat_agent_executor", self.home):
                if hasattr(importlib.import_module(module), name):
                    return getattr(importlib.import_module(module), name)
        raise AttributeError(name)

    def agent(self, *args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.create_react_agent(*args, **kwargs)


UPSTREAM, AGENTKIT = Library("langgraph.prebuilt"), Library("agentkit.prebuilt")


# --- states ---


@dataclass
class Context:
    """The context of a run."""

    user: str = "nobody"


class Config(TypedDict, total=False):
    """The configurable of a run, as `config_schema` had it."""

    user: str


class Answer(BaseModel):
    """The answer."""

    text: str = Field(description="What it says.")


class TypedAnswer(TypedDict):
    """The answer."""

    text: str


@functools.cache
def states(library: Library) -> dict[str, Any]:
    """The state classes, on the library's own bases."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        class Typed(library.AgentState):  # type: ignore[misc]
            notes: Annotated[list[str], concat]
            structured_response: Any

        class Own(TypedDict, total=False):
            """A state that has nothing to do with the library."""

            messages: Annotated[list[Any], add_messages]
            remaining_steps: RemainingSteps
            is_last_step: IsLastStep
            notes: Annotated[list[str], concat]
            structured_response: Any

        class Model(library.AgentStatePydantic):  # type: ignore[misc]
            notes: Annotated[list[str], concat] = []
            structured_response: Any = None

        class OwnModel(BaseModel):
            """A pydantic state that has nothing to do with the library."""

            messages: Annotated[list[Any], add_messages]
            remaining_steps: RemainingSteps = 25
            notes: Annotated[list[str], concat] = Field(default_factory=list, description="Notes.")
            structured_response: Any = None

    return {"default": None, "typed": Typed, "own": Own, "model": Model, "own model": OwnModel}


# --- tools ---


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    get_stream_writer()(f"adding {a}")
    return a + b


@tool
async def slow_add(a: int, b: int) -> int:
    """Add two numbers, asynchronously."""
    get_stream_writer()(f"adding {a}")
    return a + b


@tool
def fail(how: str) -> str:
    """Fail."""
    raise {"value": ValueError, "key": KeyError, "runtime": RuntimeError}[how](how)


@tool
def note(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Take a note."""
    return Command(update={"notes": [text], "messages": [ToolMessage(f"noted {text}", tool_call_id=tool_call_id)]})


@tool
def bare_command() -> Command[Any]:
    """Forget to answer."""
    return Command(update={"notes": ["x"]})


@tool
def hand_over(to: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Go to a node of the parent graph."""
    answer = ToolMessage(f"off to {to}", tool_call_id=tool_call_id)
    return Command(goto=to, graph=Command.PARENT, update={"messages": [answer]})


@tool(return_direct=True)
def direct(text: str) -> str:
    """Answer at once."""
    return text


@tool
def look(
    state: Annotated[Any, InjectedState],
    messages: Annotated[Any, InjectedState("messages")],
    store: Annotated[Any, InjectedStore()],
    config: RunnableConfig,
) -> str:
    """Say what is injected."""
    see("look", state, config, store=type(store).__name__, messages=[m.content for m in messages])
    return f"{len(messages)} messages"


@tool
def look_around(question: str, runtime: ToolRuntime) -> str:
    """Say what the runtime holds."""
    see("look_around", runtime, runtime.state, runtime.config, call=runtime.tool_call_id)
    return f"{question} {type(runtime.state).__name__}"


@tool
def ask(question: str) -> str:
    """Ask the person."""
    return f"told {interrupt(question)}"


@tool(response_format="content_and_artifact")
def draw(what: str) -> tuple[str, dict[str, str]]:
    """Draw something."""
    return f"a picture of {what}", {"picture": what}


@tool
def blocks(kind: str) -> Any:
    """Answer in another form than text."""
    return {"blocks": [{"type": "text", "text": "hi"}], "list": [1, 2], "dict": {"a": 1}, "none": None}[kind]


def _search(query: str) -> str:
    """Search."""
    return f"found {query}"


class _Plain(BaseTool):
    """A tool that is a class."""

    name: str = "plain"
    description: str = "Be plain."

    def _run(self, text: str) -> str:
        see("plain", get_config())
        return f"plain {text}"


@tool
def talk(text: str) -> str:
    """Ask another model."""
    model = ScriptedChatModel(script=[f"re: {text}"])
    return str(model.invoke([HumanMessage(text)]).content)


def search_function(query: str) -> str:
    """Search the web."""
    return f"searched {query}"


search = StructuredTool.from_function(_search, name="search", tags=["of the tool"], metadata={"kind": "web"})
plain_tool = _Plain(tags=["plain"])
BUILT_IN = {"type": "web_search_20250305", "name": "web_search"}

TOOLS: dict[str, list[Any]] = {
    "few": [add, fail, look, ask, note],
    "all": [
        *(add, slow_add, fail, note, bare_command, hand_over, direct, look, look_around, ask),
        *(draw, blocks, search, plain_tool, talk, search_function),
    ],
    "one": [search_function],
    "none": [],
    "built-in": [add, look_around, BUILT_IN],
    "only built-in": [BUILT_IN],
}


def handled(error: ValueError) -> str:
    """Handle one kind of error."""
    return f"handled {error}"


ERROR_POLICIES = {"true": True, "text": "OOPS", "types": (ValueError,), "function": handled, "false": False}


def tools_in_form(library: Library, name: str, form: str) -> Any:
    """The tools as a list, or in a node of the library's with an error policy."""
    tools = TOOLS[name]
    if form == "list":
        return tools
    if form == "tuple":
        return tuple(tools)
    own = [one for one in tools if not isinstance(one, dict)]
    if form == "node":
        return library.ToolNode(own)
    if form == "tagged":
        return library.ToolNode(own, name="my tools", tags=["mine"])
    return library.ToolNode(own, handle_tool_errors=ERROR_POLICIES[form])


# --- prompts ---


def messages_of(state: Any) -> list[Any]:
    return list(state["messages"] if isinstance(state, dict) else state.messages)


def _by_state(state: Any) -> list[Any]:
    see("prompt", state)
    return [SystemMessage(type(state).__name__), *messages_of(state)]


def _by_config(state: Any, config: RunnableConfig) -> list[Any]:
    see("prompt", state, config)
    return [SystemMessage(str(config["recursion_limit"])), *messages_of(state)]


def _by_everything(state: Any, config: RunnableConfig, *, store: BaseStore, runtime: Runtime[Any]) -> list[Any]:
    see("prompt", state, config, runtime, store=type(store).__name__)
    return [SystemMessage("all"), *messages_of(state)]


def _by_context(state: Any) -> list[Any]:
    see("prompt", state, get_config(), store=type(get_store()).__name__)
    get_stream_writer()("prompting")
    return messages_of(state)


async def _async_prompt(state: Any, config: RunnableConfig) -> list[Any]:
    see("prompt", state, config)
    return [("system", "async"), *messages_of(state)]


def _both(state: Any) -> list[Any]:
    return [("system", "both"), *messages_of(state)]


async def _both_async(state: Any) -> list[Any]:
    return [("system", "both, async"), *messages_of(state)]


def _failing(state: Any) -> list[Any]:
    raise ValueError("no prompt today")


class _PromptObject:
    def __call__(self, state: Any) -> list[Any]:
        see("prompt", state)
        return messages_of(state)


def _prefixed(prefix: str, state: Any) -> list[Any]:
    return [("system", prefix), *messages_of(state)]


_TEMPLATE = ChatPromptTemplate.from_messages([("system", "Be brief."), ("placeholder", "{messages}")])
PROMPTS: dict[str, Any] = {
    "none": None,
    "text": "Be brief.",
    "message": SystemMessage("Be brief.", name="boss"),
    "state": _by_state,
    "config": _by_config,
    "everything": _by_everything,
    "context": _by_context,
    "async": _async_prompt,
    "failing": _failing,
    "object": _PromptObject(),
    "partial": functools.partial(_prefixed, "prefix"),
    "lambda": lambda state: "only this",
    "dict": lambda state: [{"role": "system", "content": "dict"}, *messages_of(state)],
    "template": _TEMPLATE,
    "template sequence": _TEMPLATE | RunnableLambda(lambda value: value.to_messages()),
    "runnable": RunnableLambda(_by_state),
    "both ways": RunnableLambda(_both, afunc=_both_async),
    "configured": RunnableLambda(_by_state).with_config(run_name="my prompt", tags=["my tag"]),
    "wrong": 42,
}
TEMPLATES = ("template", "template sequence")


# --- hooks ---


def _nothing(state: Any) -> dict[str, Any]:
    see("hook", state)
    return {}


def _noting(state: Any, config: RunnableConfig, *, runtime: Runtime[Any]) -> dict[str, Any]:
    see("hook", state, config, runtime)
    return {"notes": ["hook"]}


async def _async_hook(state: Any) -> dict[str, Any]:
    see("hook", state)
    return {"notes": ["async hook"]}


def _failing_hook(state: Any) -> dict[str, Any]:
    raise RuntimeError("the hook fails")


def _llm_input(state: Any) -> dict[str, Any]:
    see("hook", state)
    return {"llm_input_messages": messages_of(state)[-2:]}


def _one_message(state: Any) -> dict[str, Any]:
    return {"llm_input_messages": [HumanMessage("only this", id="only")], "notes": ["pre"]}


def _rewriting(state: Any) -> dict[str, Any]:
    return {
        "messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *messages_of(state)],
        "llm_input_messages": messages_of(state),
    }


def _asking_hook(state: Any) -> dict[str, Any]:
    last = messages_of(state)[-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        interrupt({"calls": [tool_call["name"] for tool_call in last.tool_calls]})
    return {}


def _answering(state: Any) -> dict[str, Any]:
    last = messages_of(state)[-1]
    calls = last.tool_calls if isinstance(last, AIMessage) else []
    return {
        "messages": [ToolMessage("no", tool_call_id=calls[0]["id"], id=f"answer {calls[0]['id']}")] if calls else []
    }


def _sub_graph(**update: Any) -> Any:
    class Sub(TypedDict, total=False):
        messages: Annotated[list[Any], add_messages]
        notes: Annotated[list[str], concat]
        llm_input_messages: list[Any]

    graph: Any = StateGraph(Sub)
    graph.add_node("inside", lambda state: update)
    graph.add_edge(START, "inside")
    graph.add_edge("inside", END)
    return graph.compile()


PRE_HOOKS: dict[str, Any] = {
    "none": None,
    "nothing": _nothing,
    "noting": _noting,
    "async": _async_hook,
    "failing": _failing_hook,
    "llm input": _llm_input,
    "one message": _one_message,
    "rewriting": _rewriting,
    "runnable": RunnableLambda(_llm_input),
    "sub-graph": _sub_graph(notes=["sub"], llm_input_messages=[HumanMessage("sub", id="sub")]),
}
# On a pydantic state upstream demands llm_input_messages of the hook.
GIVES_INPUT = ("none", "llm input", "one message", "rewriting", "runnable", "sub-graph")
# After these the scripted model does not know how far the conversation is.
HIDES = ("llm input", "one message", "runnable", "sub-graph")
POST_HOOKS: dict[str, Any] = {
    "none": None,
    "nothing": _nothing,
    "noting": _noting,
    "async": _async_hook,
    "failing": _failing_hook,
    "asking": _asking_hook,
    "answering": _answering,
    "runnable": RunnableLambda(_nothing),
    "sub-graph": _sub_graph(notes=["sub"]),
}
RESPONSES: dict[str, Any] = {
    "none": None,
    "model": Answer,
    "typed": TypedAnswer,
    "schema": {"title": "Answer", "description": "x", "type": "object", "properties": {"text": {"type": "string"}}},
    "with prompt": ("In short.", Answer),
}


# --- models ---


def _same(value: Any) -> Any:
    return value


def _louder(message: Any) -> Any:
    return message.model_copy(update={"content": f"{message.content}!"})


class _Choice:
    def __init__(self, model: Any) -> None:
        self.model = model

    def __call__(self, state: Any, runtime: Any) -> Any:
        see("model function", state, runtime)
        return self.model


def _choice(model: Any) -> Any:
    def choose(state: Any, runtime: Runtime[Any]) -> Any:
        see("model function", state, runtime, get_config())
        return model

    return choose


def _async_choice(model: Any) -> Any:
    async def choose(state: Any, runtime: Runtime[Any]) -> Any:
        see("model function", state, runtime)
        return model

    return choose


def _failing_choice(model: Any) -> Any:
    def choose(state: Any, runtime: Any) -> Any:
        raise KeyError("which model?")

    return choose


def model_in_form(model: BaseChatModel, form: str, tools: list[Any]) -> Any:
    """The model as `model=` takes it; where the form has tools bound, these."""
    bound: Runnable[Any, Any] = model.bind_tools(tools) if tools else model
    forms = {
        "chat model": lambda: model,
        "bound": lambda: bound,
        "bound with settings": lambda: model.bind_tools(tools, temperature=0, tool_choice="any"),
        "configured": lambda: bound.with_config(tags=["my model"], run_name="my run", metadata={"my": "data"}),
        "after a step": lambda: RunnableLambda(_same) | bound,
        "before a step": lambda: bound | RunnableLambda(_louder),
        "function": lambda: _choice(bound),
        "async function": lambda: _async_choice(bound),
        "object": lambda: _Choice(bound),
        "partial": lambda: functools.partial(lambda first, state, runtime: first, bound),
        "function of a sequence": lambda: _choice(bound | RunnableLambda(_louder)),
        "function of a function": lambda: _choice(lambda value: AIMessage("from a function")),
        "failing function": lambda: _failing_choice(bound),
        "wrong function": lambda: _choice(42),
        "settings": lambda: model.bind(stop=["x"]),
        "retry": lambda: model.with_retry(stop_after_attempt=2),
        "fallbacks": lambda: model.with_fallbacks([ScriptedChatModel(script=["fallback"])]),
        "other tools": lambda: model.bind_tools([draw]),
        "wrong": lambda: 42,
        "no model": lambda: RunnableLambda(_same),
    }
    return forms[form]()


MODEL_FORMS = (
    *("chat model", "bound", "bound with settings", "configured", "after a step", "before a step", "function"),
    *("async function", "object", "partial", "function of a sequence", "function of a function", "failing function"),
    *("wrong function", "settings", "retry", "fallbacks", "other tools", "wrong", "no model"),
)
MODEL_FUNCTIONS = tuple(form for form in MODEL_FORMS if "function" in form or form in ("object", "partial"))
