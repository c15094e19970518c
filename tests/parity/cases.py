"""One generated agent and the conversation that is held with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from typing_extensions import TypedDict

from agentkit.testing import ScriptedChatModel, call
from tests.parity import parts
from tests.parity.parts import Library

# --- what the model says ---

WORDS = ("a", "b", "two words")
SAFE = (
    *(call("add", a=a, b=1) for a in range(3)),
    *(call("note", text=text) for text in WORDS),
    *(call("direct", text=text) for text in WORDS),
    *(call("blocks", kind=kind) for kind in ("blocks", "list", "dict", "none")),
    call("look"),
    call("look_around", question="where?"),
    call("unknown", x=1),
    call("slow_add", a=1, b=2),
    call("draw", what="a cat"),
    call("search", query="q"),
    call("search_function", query="q"),
    call("plain", text="t"),
    call("talk", text="hello you"),
    call("web_search", query="q"),
)
# These end the step, and what a parallel task has said by then is chance; so they stand alone.
ENDING = (
    call("add", a="x", b=1),
    *(call("fail", how=how) for how in ("value", "key", "runtime")),
    call("ask", question="ok?"),
    call("bare_command"),
    call("hand_over", to="after"),
)
ODD = (
    AIMessage("with text", tool_calls=[call("add", id="odd", a=1, b=1)], id="odd"),
    AIMessage("named", name="someone", id="named"),
    AIMessage("again", id="x"),
    AIMessage("again", tool_calls=[call("add", id="again", a=1, b=1)], id="open"),
    AIMessage("again", tool_calls=[call("add", id="again", a=1, b=1)], id="ai"),
    AIMessage("again", id="ai"),
    AIMessage("as the question", id="one"),
    AIMessage([{"type": "text", "text": "a block"}], id="blocks"),
    AIMessage("no id"),
    [call("add", id="same", a=1, b=1), call("add", id="same", a=2, b=2)],
    ValueError("the model is down"),
)


def _turn(chance: Random) -> Any:
    kind = chance.choice(("one", "one", "several", "words", "ending", "odd"))
    if kind == "several":
        return chance.sample(SAFE, chance.choice((2, 3)))
    return chance.choice({"one": SAFE, "words": WORDS, "ending": ENDING, "odd": ODD}[kind])


# --- what the person says ---

_OPEN = AIMessage("", tool_calls=[call("add", id="open", a=1, b=1)], id="open")
_DONE = ToolMessage("2", tool_call_id="open", name="add", id="done")
FIRST: dict[str, Any] = {
    "message": {"messages": [HumanMessage("one", id="one")]},
    "with notes": {"messages": [HumanMessage("one", id="one")], "notes": ["given"]},
    "pair": {"messages": [("user", "one")]},
    "text": {"messages": "one"},
    "dict": {"messages": [{"role": "user", "content": "one"}]},
    "history": {"messages": [HumanMessage("0", id="0"), _OPEN, _DONE, AIMessage("x", id="x"), HumanMessage("one")]},
    "system": {"messages": [SystemMessage("s", id="s"), HumanMessage("one", id="one")]},
    "open call": {"messages": [HumanMessage("one", id="one"), _OPEN]},
    "open call and more": {"messages": [_OPEN, HumanMessage("one", id="one")]},
    "ends in an answer": {"messages": [HumanMessage("one", id="one"), _OPEN, _DONE]},
    "no messages": {"messages": []},
    "nothing": {},
    "only notes": {"notes": ["given"]},
    "wrong": {"messages": 42},
    "command": Command(update={"messages": [HumanMessage("one", id="one")]}),
}
# (what to do, with what): send a value, or change the stored thread.
LATER: dict[str, tuple[str, Any]] = {
    "go on": ("send", None),
    "resume": ("send", Command(resume="yes")),
    "more": ("send", {"messages": [HumanMessage("two", id="two")]}),
    "resume and change": ("send", Command(resume="yes", update={"notes": ["resumed"]})),
    "update": ("update", ({"messages": [HumanMessage("changed", id="changed")]}, None)),
    "update as agent": ("update", ({"messages": [AIMessage("by hand", id="by hand")]}, "agent")),
    "update with a call": ("update", ({"messages": [_OPEN]}, "agent")),
    "update as tools": ("update", ({"messages": [HumanMessage("changed", id="changed")]}, "tools")),
    "remove": ("update", ({"messages": [RemoveMessage("one")]}, None)),
    "go back": ("fork", 2),
}


# --- the agent ---

# Each with the plain value first, to which a case that differs is reduced.
CHOICES: dict[str, tuple[Any, ...]] = {
    "model": parts.MODEL_FORMS,
    "prompt": tuple(parts.PROMPTS),
    "tools": ("few", "all", "one", "none", "built-in", "only built-in"),
    "tool form": ("list", "tuple", "node", "tagged", *parts.ERROR_POLICIES),
    "pre hook": tuple(parts.PRE_HOOKS),
    "post hook": tuple(parts.POST_HOOKS),
    "response": tuple(parts.RESPONSES),
    "state": ("default", "typed", "own", "model", "own model"),
    "version": ("v2", "v1"),
    "name": (None, "bob"),
    "before": (None, ["tools"], ["agent"], ["agent", "tools"]),
    "after": (None, ["tools"], ["agent"]),
    "saver": (True, False),
    "store": (True, False),
    "context": (None, "context_schema", "config_schema"),
    "place": ("alone", "node", "two levels down", "called"),
    "way": ("stream", "invoke", "astream", "ainvoke", "events"),
    "streaming": (("values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"), ("updates",)),
    "limit": (None, 25, 2, 3, 5, 8),
    "settings": (False, True),
    "first": tuple(FIRST),
    "schemas": (False, False, True),
}
# How many of the values are usual; of the others few are drawn, since an agent that can't be built says little.
USUAL = {"model": 11, "prompt": 17, "first": 6, "pre hook": 9, "place": 1}


@dataclass(frozen=True)
class Case:
    """The choices of one example, the model's script, and what follows the first message."""

    choices: dict[str, Any]
    script: tuple[Any, ...]
    later: tuple[str, ...]

    @classmethod
    def draw(cls, number: int) -> Case:
        """The case of a number: the first one drawn from it on which agentkit does not differ on purpose."""
        chance = Random(number)
        while True:
            plainness = chance.random()
            choices = {name: _choice(chance, name, values, plainness) for name, values in CHOICES.items()}
            script = [_turn(chance) for _ in range(chance.randint(0, 4))]
            later = [chance.choice(tuple(LATER)) for _ in range(chance.randint(0, 4))]
            case = cls(choices, tuple(script), tuple(later))
            if on_purpose(case) is None:
                return case

    def __getitem__(self, name: str) -> Any:
        return self.choices[name]

    def __repr__(self) -> str:
        changed = {name: value for name, value in self.choices.items() if value != CHOICES[name][0]}
        return f"Case({changed}, script={list(self.script)}, later={list(self.later)})"

    def simpler(self) -> Iterator[Case]:
        """Cases with one thing less about them."""
        for place in range(len(self.later)):
            yield replace(self, later=self.later[:place] + self.later[place + 1 :])
        for place in range(len(self.script)):
            yield replace(self, script=self.script[:place] + self.script[place + 1 :])
        for name, values in CHOICES.items():
            if self[name] != values[0]:
                yield replace(self, choices={**self.choices, name: values[0]})


def _choice(chance: Random, name: str, values: Sequence[Any], plainness: float) -> Any:
    if chance.random() < plainness / 2:
        return values[0]
    usual = USUAL.get(name, len(values))
    return chance.choice(values if chance.random() < 0.15 else values[:usual])


def on_purpose(case: Case) -> str | None:
    """Why agentkit differs from upstream on this case, if it does: each is a row of the README's table."""
    has_tools = case["tools"] != "none"
    is_model = case["state"] in ("model", "own model")
    if case["post hook"] != "none" and case["version"] == "v1" and has_tools:
        return "`post_model_hook` with `version='v1'` fails at the first tool call upstream"
    if case["post hook"] != "none" and (case["pre hook"] in parts.HIDES or case["prompt"] == "lambda"):
        return "a call id that comes back in a later turn, since the scripted model sees no history"
    if is_model and case["prompt"] in parts.TEMPLATES:
        return "a template on a pydantic state"
    if is_model and case["pre hook"] not in parts.GIVES_INPUT:
        return "a hook on a pydantic state that returns no llm_input_messages"
    if case["prompt"] == "configured" and case["response"] != "none":
        return "a bound runnable as the prompt beside a response_format is taken for the model upstream"
    if case["model"] in ("no model", "wrong function") or (
        case["model"] == "function of a function" and case["response"] != "none"
    ):
        return "agentkit says what is wrong with a model that returns no message, or is none"
    if case["prompt"] == "wrong" and case["model"] in (*parts.MODEL_FUNCTIONS, "wrong"):
        return "a wrong prompt is refused when the agent is built, beside a model function too"
    if case["model"] in ("settings", "retry", "fallbacks") and (has_tools or case["response"] != "none"):
        return "what was bound is lost upstream, or it fails"
    return None


@dataclass
class Built:
    """An agent in its place, and the model that answers."""

    agent: Any
    graph: Any
    model: ScriptedChatModel
    config: RunnableConfig
    more: dict[str, Any]


def build(case: Case, library: Library) -> Built:
    """Build the case's agent with one library."""
    model = ScriptedChatModel(script=list(case.script), structured={"text": "42"})
    alone = case["place"] == "alone"
    saver = InMemorySaver() if case["saver"] else None
    context = {case["context"]: parts.Context if case["context"] == "context_schema" else parts.Config}
    agent = library.agent(
        parts.model_in_form(model, case["model"], parts.TOOLS[case["tools"]]),
        parts.tools_in_form(library, case["tools"], case["tool form"]),
        prompt=parts.PROMPTS[case["prompt"]],
        pre_model_hook=parts.PRE_HOOKS[case["pre hook"]],
        post_model_hook=parts.POST_HOOKS[case["post hook"]],
        response_format=parts.RESPONSES[case["response"]],
        state_schema=parts.states(library)[case["state"]],
        version=case["version"],
        name=case["name"],
        interrupt_before=case["before"],
        interrupt_after=case["after"],
        checkpointer=saver if alone else None,
        store=InMemoryStore() if case["store"] and alone else None,
        **(context if case["context"] else {}),
    )
    graph = agent
    for _ in range({"alone": 0, "two levels down": 2}.get(case["place"], 1)):
        graph = PLACES[case["place"]](graph)
    if not alone:
        context_schema = parts.Context if case["context"] == "context_schema" else None
        graph = graph(context_schema).compile(checkpointer=saver, store=InMemoryStore() if case["store"] else None)
    return Built(agent, graph, model, _config(case), _more(case))


def _config(case: Case) -> RunnableConfig:
    # One at a time, so that the order of what runs in parallel is no chance; a sync stream needs a thread for itself.
    config: RunnableConfig = {
        "configurable": {"thread_id": "1"},
        "max_concurrency": 2 if case["way"] == "stream" else 1,
    }
    # What hides the history from the scripted model makes it ask for its first tool for ever.
    if case["limit"] or not all(isinstance(turn, str) for turn in case.script):
        config["recursion_limit"] = case["limit"] or 14
    if case["settings"]:
        config |= {"tags": ["of the run"], "metadata": {"by": "me"}, "run_name": "my run"}
        config["configurable"]["user"] = "ann"
    return config


def _more(case: Case) -> dict[str, Any]:
    return {"context": parts.Context("ann")} if case["context"] == "context_schema" else {}


class Parent(TypedDict, total=False):
    """The state of a graph around the agent."""

    messages: Annotated[list[Any], add_messages]
    notes: Annotated[list[str], parts.concat]


def _as_node(inner: Any) -> Callable[[Any], Any]:
    def outer(context_schema: Any) -> Any:
        graph: Any = StateGraph(Parent, context_schema=context_schema)
        node = inner(context_schema).compile() if callable(inner) else inner
        graph.add_node("inner", node)
        graph.add_node("after", lambda state: {"notes": ["after"]})
        graph.add_edge(START, "inner")
        graph.add_edge("inner", "after")
        graph.add_edge("after", END)
        return graph

    return outer


def _called(inner: Any) -> Callable[[Any], Any]:
    def outer(context_schema: Any) -> Any:
        def sync_call(state: Any) -> Any:
            return {"messages": inner.invoke({"messages": state.get("messages", [])})["messages"]}

        graph: Any = StateGraph(Parent, context_schema=context_schema)
        graph.add_node("inner", sync_call)
        graph.add_node("after", lambda state: {"notes": ["after"]})
        graph.add_edge(START, "inner")
        graph.add_edge("inner", "after")
        return graph

    return outer


PLACES: dict[str, Callable[[Any], Any]] = {"node": _as_node, "two levels down": _as_node, "called": _called}
