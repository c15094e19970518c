"""Do two agents behave the same? Run both on the same inputs and show the first difference."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Literal

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Interrupt, Send
from pydantic import BaseModel

from agentkit.testing.model import ModelCall, ScriptedChatModel

How = Literal["sync", "async"]
Builder = Callable[..., "CompiledStateGraph[Any, Any, Any, Any]"]
MODES: tuple[str, ...] = ("values", "updates", "messages", "custom")
RENAMED = {"agent": "model"}
_MISSING = "(nothing)"


@dataclass(frozen=True)
class Difference:
    """Where two agents differ (`input 1 (sync) / stream[3] updates / tools / ...`) and what each gave."""

    where: str
    legacy: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.where}\n  legacy: {_short(self.legacy)}\n  new:    {_short(self.new)}"


class ParityError(AssertionError):
    """Two agents differ; `difference` is the first place where they do."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(f"the agents differ at {difference}")
        self.difference = difference


@dataclass
class _Turn:
    """All that one input led to, ids and timing taken out."""

    stream: list[tuple[str, Any]] = field(default_factory=list)
    error: str | None = None
    result: Any = None
    state: Any = None
    next: list[str] = field(default_factory=list)
    interrupts: list[Any] = field(default_factory=list)
    model: list[Any] = field(default_factory=list)


def assert_parity(
    build_legacy: Builder,
    build_new: Builder,
    inputs: Sequence[Any],
    *,
    node_names: Mapping[str, str] = RENAMED,
    modes: Sequence[str] = MODES,
    how: Sequence[How] = ("sync", "async"),
    model: Callable[[], ScriptedChatModel] | None = None,
    config: Mapping[str, Any] | None = None,
    context: Any = None,
    ignore: Sequence[str] = (),
) -> None:
    """Check that two agents give the same results for the same inputs.

    Each agent is built twice for each way of calling: one is streamed, one invoked. Compared are the
    stream chunks of every mode, the result, the stored state, `next`, the interrupts, the type of an
    exception and, with `model`, what the model was sent. Message ids are left aside, and so is the
    order in which tools that run in parallel end.

    Args:
        build_legacy: Builds the legacy agent: no argument, or the model where `model` is given.
        build_new: Builds the other one the same way.
        inputs: What to send, in order, on one thread: states, `Command(resume=...)`, or None.
        node_names: Legacy node names and their new ones. Defaults to `{"agent": "model"}`.
        modes: The stream modes to compare. Defaults to values, updates, messages and custom.
        how: The ways of calling. Defaults to sync and async.
        model: Makes a fresh scripted model for each build. Defaults to None: the builders have theirs.
        config: More of the run's config, such as `recursion_limit`. Defaults to nothing.
        context: The run's context. Defaults to None.
        ignore: State keys to leave out. Defaults to none.

    Raises:
        ParityError: An AssertionError that shows the first difference.

    Example:
        ```python
        assert_parity(
            lambda model: create_react_agent(model, [add], prompt="Be brief."),
            lambda model: create_agent(model, [add], system_prompt="Be brief."),
            [{"messages": [("user", "1 + 2?")]}],
            model=lambda: ScriptedChatModel(script=[call("add", a=1, b=2), "3"]),
        )
        ```
    """
    given = dict(config or {})
    # An agent whose scripted model never ends is a difference to report, not a run of ten thousand steps.
    settings: Any = {
        "recursion_limit": 100,
        **given,
        "configurable": {"thread_id": "parity", **given.get("configurable", {})},
    }
    for way in how:
        options = (model, way, settings, context)
        legacy = _run(partial(_Side, build_legacy, *options, _Clean(node_names, ignore)), inputs, modes)
        new = _run(partial(_Side, build_new, *options, _Clean({}, ignore)), inputs, modes)
        for place, (one, other) in enumerate(zip(legacy, new, strict=True)):
            found = _diff(one, other, f"input {place} ({way})")
            if found:
                raise ParityError(found)


def _run(new_side: Callable[[], _Side], inputs: Sequence[Any], modes: Sequence[str]) -> list[_Turn]:
    streaming, invoking = new_side(), new_side()
    turns = []
    for value in inputs:
        turn = streaming.stream(value, modes)
        turn.result = invoking.invoke(value)
        turns.append(turn)
    return turns


class _Side:
    """One built agent and how it is called."""

    def __init__(
        self,
        build: Builder,
        model: Callable[[], ScriptedChatModel] | None,
        how: How,
        config: Any,
        context: Any,
        clean: _Clean,
    ) -> None:
        self.model = model() if model else None
        self.agent = build(self.model) if self.model is not None else build()
        self.how, self.config, self.clean, self.seen = how, config, clean, 0
        # Passed only where given: a graph without a context schema warns about any.
        self.more: dict[str, Any] = {} if context is None else {"context": context}

    def stream(self, value: Any, modes: Sequence[str]) -> _Turn:
        turn = _Turn()
        chunks: list[tuple[str, Any]] = []
        options = {"stream_mode": list(modes), **self.more}

        async def drain() -> None:
            async for chunk in self.agent.astream(value, self.config, **options):
                chunks.append(chunk)  # noqa: PERF401 - what came before an exception counts

        try:
            if self.how == "async":
                _run_coroutine(drain())
            else:
                chunks.extend(self.agent.stream(value, self.config, **options))
        except Exception as error:  # noqa: BLE001 - any exception is a result to compare
            turn.error = type(error).__name__
        turn.stream = self.clean.stream(chunks)
        if self.model is not None:
            sent = self.model.calls[self.seen :]
            self.seen = len(self.model.calls)
            turn.model = self.clean([_what_was_asked(call) for call in sent])
        if getattr(self.agent, "checkpointer", None):
            snapshot = self.agent.get_state(self.config)
            turn.state = self.clean(snapshot.values)
            turn.next = sorted(self.clean.names.get(name, name) for name in snapshot.next)
            turn.interrupts = self.clean([i.value for task in snapshot.tasks for i in task.interrupts])
        return turn

    def invoke(self, value: Any) -> Any:
        try:
            if self.how == "async":
                return self.clean(_run_coroutine(self.agent.ainvoke(value, self.config, **self.more)))
            return self.clean(self.agent.invoke(value, self.config, **self.more))
        except Exception as error:  # noqa: BLE001 - any exception is a result to compare
            return type(error).__name__


def _run_coroutine(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run it in an event loop of its own: on another thread, since a notebook or async test has one on this."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class _Clean:
    """Turns values into plain ones that compare: no message ids, one set of node names."""

    def __init__(self, names: Mapping[str, str], ignore: Sequence[str]) -> None:
        self.names, self.ignore = names, set(ignore)

    def __call__(self, value: Any) -> Any:
        if isinstance(value, RemoveMessage):
            return {"type": "remove", "all": value.id == "__remove_all__"}
        if isinstance(value, BaseMessage):
            return self({**value.model_dump(exclude={"id"}), "class": type(value).__name__})
        if isinstance(value, Interrupt):
            return {"interrupt": self(value.value)}
        if isinstance(value, Send):
            return {"send": value.node, "arg": self(value.arg)}
        if is_dataclass(value) and not isinstance(value, type):  # Command is one
            return {f.name: self(getattr(value, f.name)) for f in fields(value)}
        if isinstance(value, BaseModel):
            return {"class": type(value).__name__, **{k: self(v) for k, v in dict(value).items()}}
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items() if key not in self.ignore}
        if isinstance(value, (list, tuple)):
            return [self(item) for item in value]
        if isinstance(value, type) or inspect.isroutine(value):
            return value.__name__
        return value

    def stream(self, chunks: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Clean the chunks; between two states, bring what ran in parallel into one order."""
        cleaned: list[tuple[str, Any]] = []
        step: list[tuple[str, Any]] = []
        for mode, chunk in chunks:
            if mode == "values":
                cleaned += [*_in_order(step), (mode, self(chunk))]
                step = []
            elif mode in {"updates", "messages"}:
                by_node = chunk if mode == "updates" else {chunk[1]["langgraph_node"]: chunk[0]}
                step.append((mode, {self.names.get(node, node): self(v) for node, v in by_node.items()}))
            else:
                step.append((mode, self(chunk)))
        return cleaned + _in_order(step)


def _in_order(step: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    nodes = [node for mode, chunk in step if mode == "updates" for node in chunk]
    return sorted(step, key=repr) if len(nodes) > len(set(nodes)) else step


def _diff(one: Any, other: Any, where: str) -> Difference | None:
    if isinstance(one, _Turn):
        one, other = vars(one), vars(other)
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            found = _diff(one.get(key, _MISSING), other.get(key, _MISSING), f"{where} / {key}")
            if found:
                return found
        return None
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0]:
        return _diff(one[1], other[1], f"{where} {one[0]}")  # two chunks of one stream mode
    if isinstance(one, list) and isinstance(other, list):
        pairs = enumerate(zip_longest(one, other, fillvalue=_MISSING))
        return next(filter(None, (_diff(a, b, f"{where}[{place}]") for place, (a, b) in pairs)), None)
    return None if one == other else Difference(where, one, other)


def _short(value: Any, width: int = 300) -> str:
    text = repr(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _what_was_asked(call: ModelCall) -> ModelCall:
    """A model call without what differs and means nothing: langchain's tag of the step, and a `tool_choice` of None."""
    tags = [tag for tag in call.tags if not tag.startswith("seq:step:")]
    kwargs = {key: value for key, value in call.kwargs.items() if key != "tool_choice" or value is not None}
    return replace(call, tags=tags, kwargs=kwargs)
