"""Everything that a caller of an agent can see, as plain data that compares."""

from __future__ import annotations

import asyncio
import copy
import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.tracers.base import BaseTracer
from langgraph.types import StateSnapshot
from pydantic import BaseModel

from tests.parity import parts
from tests.parity.cases import FIRST, LATER, Built, Case, build, on_purpose
from tests.parity.parts import Library

_IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|0x[0-9a-f]+")
# The id of a scripted reply names the conversation, and with it the generated ids of its messages.
_REPLIES = re.compile(r"\b(ai-\d+)-[0-9a-f]{8}\b")
_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+")
# What holds a time, or a version of a channel.
_DROPPED = {"ts", "timestamp", "created_at", "channel_versions", "versions_seen", "updated_channels"}


def plain(value: Any) -> Any:
    """Turn a value into data that compares: generated ids and times are taken out."""
    if isinstance(value, str):
        # On purpose: agentkit shows the whole update of a tool that does not answer, and a form that it may return.
        value = value.partition("Expected to have a matching ToolMessage")[0]
        return _TIMES.sub("<time>", _IDS.sub("<id>", _REPLIES.sub(r"\1", value)))
    if value is None or isinstance(value, bool | int | float | bytes):
        return value
    if isinstance(value, BaseMessage):
        # Whether a message that is being stored has its id yet is chance.
        said = {**value.model_dump(exclude={"type"}), "id": value.id or "<id>"}
        return {"class": type(value).__name__, **plain(said)}
    if isinstance(value, BaseException):
        return {"error": type(value).__name__, "text": plain(str(value))}
    if isinstance(value, BaseModel):
        return {"class": type(value).__name__, **plain(dict(value))}
    if isinstance(value, dict) and value.get("__type") == "tool_call_with_context":
        return [plain(value["tool_call"])]  # on purpose: agentkit sends the call alone
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items() if key not in _DROPPED}
    if isinstance(value, type) or inspect.isroutine(value):
        return getattr(value, "__qualname__", repr(value))
    return _composite(value)


def _composite(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value):
        return {"class": type(value).__name__, **{f.name: plain(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "node") and hasattr(value, "arg"):
        return {"send": value.node, "arg": plain(value.arg)}
    return type(value).__name__


class Tracer(BaseTracer):
    """Keeps the run trees."""

    def __init__(self) -> None:
        super().__init__()
        self.roots: list[Any] = []

    def _persist_run(self, run: Any) -> None:
        self.roots.append(run)


def tree(run: Any) -> dict[str, Any]:
    """One run and the runs inside it."""
    metadata = (run.extra or {}).get("metadata", {})
    told = {key: (run.extra or {}).get(key) for key in ("invocation_params", "options") if key in (run.extra or {})}
    return {
        "name": run.name,
        "type": run.run_type,
        "tags": plain(run.tags),
        "metadata": plain(metadata),
        "extra": plain(told),
        "inputs": {"input": plain(run.inputs)} if "__type" in run.inputs else plain(run.inputs),
        "outputs": plain(run.outputs),
        "error": plain((run.error or "").partition("Traceback")[0]),
        "children": [tree(child) for child in run.child_runs],
    }


def record(case: Case, library: Library) -> dict[str, Any]:
    """Build the case's agent with one library and write down all that can be seen of it."""
    parts.SEEN.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            built = build(case, library)
        except Exception as error:  # noqa: BLE001 - any exception is a result to compare
            # On purpose: agentkit says what to give.
            return {"build": "wrong" if "wrong" in (case["model"], case["prompt"]) else plain(error)}
        seen = {"graph": drawing(built), "schemas": schemas(built)} if case["schemas"] else {}
        turns = [("send", copy.deepcopy(FIRST[case["first"]])), *(copy.deepcopy(LATER[name]) for name in case.later)]
        for place, (action, value) in enumerate(turns):
            seen |= {f"turn {place} {facet}": said for facet, said in take_turn(case, built, action, value).items()}
        if case["saver"]:
            seen["history"] = history(built)
    return seen


def drawing(built: Built) -> dict[str, Any]:
    """How the graph is drawn and what it says of itself."""
    return {
        "json": plain(built.agent.get_graph().to_json()),
        "xray": plain(built.graph.get_graph(xray=True).to_json()),
        "mermaid": built.graph.get_graph(xray=1).draw_mermaid(),
        "name": [built.agent.name, built.agent.get_name(), type(built.agent).__mro__[-2].__name__],
        "sub-graphs": [name for name, _ in built.graph.get_subgraphs(recurse=True)],
        "channels": sorted(map(str, built.agent.stream_channels_list)),
        "nodes": sorted(built.agent.nodes),
        "stops": [plain(built.agent.interrupt_before_nodes), plain(built.agent.interrupt_after_nodes)],
    }


def schemas(built: Built) -> dict[str, Any]:
    """The schemas that a graph has as a runnable."""
    agent = built.agent
    return {
        "input": agent.get_input_jsonschema(),
        "output": agent.get_output_jsonschema(),
        "config": agent.get_config_jsonschema(),
        "config class": agent.config_schema().model_json_schema(),
        "context": agent.get_context_jsonschema(),
        "specs": plain(agent.config_specs),
    }


def take_turn(case: Case, built: Built, action: str, value: Any) -> dict[str, Any]:
    """Send one input, or change the thread, and write down what comes of it."""
    if action == "send":
        said = send(case, built, value)
    elif not case["saver"]:
        return {}
    else:
        said = {"result": _outcome(lambda: _change(built, action, value))}
    said["seen by functions"] = _without_steps(case, plain(list(parts.SEEN)))
    parts.SEEN.clear()
    said["model"] = plain(list(built.model.calls))
    built.model.calls.clear()
    if case["saver"]:
        said["state"] = _outcome(lambda: snapshot(built.graph.get_state(_thread(built), subgraphs=True)))
    return said


def _without_steps(case: Case, seen: list[Any]) -> list[Any]:
    """On purpose: a tool of `version="v2"` reads the state when it runs, a step after the model."""
    for who, *given in seen:
        for told in given if who.startswith("look") and case["version"] == "v2" else ():
            for key in ("remaining_steps", "is_last_step"):
                told.pop(key, None)
    return sorted(seen, key=repr) if case["way"] == "stream" else seen


def _change(built: Built, action: str, value: Any) -> Any:
    if action == "update":
        built.graph.update_state(_thread(built), value[0], as_node=value[1])
        return None
    past = list(built.graph.get_state_history(_thread(built)))
    return built.graph.invoke(None, past[value].config, **built.more) if len(past) > value else None


def send(case: Case, built: Built, value: Any) -> dict[str, Any]:
    """Run the agent in the case's way."""
    tracer, chunks = Tracer(), []
    config = {**built.config, "callbacks": [tracer]}
    modes = list(case["streaming"])

    async def drain(stream: Any) -> None:
        async for chunk in stream:
            chunks.append(chunk)  # noqa: PERF401 - what came before an exception counts

    def run() -> Any:
        if case["way"] == "invoke":
            return built.graph.invoke(value, config, **built.more)
        if case["way"] == "ainvoke":
            return _await(built.graph.ainvoke(value, config, **built.more))
        if case["way"] == "events":
            return _await(drain(built.graph.astream_events(value, config, version="v2", **built.more)))
        options: dict[str, Any] = {"stream_mode": modes, "subgraphs": True, **built.more}
        if case["way"] == "astream":
            return _await(drain(built.graph.astream(value, config, **options)))
        chunks.extend(built.graph.stream(value, config, **options))
        return None

    result = _outcome(run)
    said = [event(chunk) for chunk in chunks] if case["way"] == "events" else [plain(chunk) for chunk in chunks]
    if case["way"] == "stream" and any(isinstance(turn, list) for turn in case.script):
        # A sync stream runs two calls at a time.
        return {"result": result, "stream": sorted(said, key=repr)}
    return {"result": result, "stream": said, "traces": [tree(run) for run in tracer.roots]}


def event(told: dict[str, Any]) -> dict[str, Any]:
    """One event of `astream_events`."""
    return {**plain(told), "parent_ids": len(told["parent_ids"])}


def _outcome(action: Callable[[], Any]) -> Any:
    try:
        return plain(action())
    except Exception as error:  # noqa: BLE001 - any exception is a result to compare
        return plain(error)


def _await(coroutine: Any) -> Any:
    async def run() -> Any:
        # One thread, so that the order in which sync tools run is no chance.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        return await coroutine

    return asyncio.run(run())


def _thread(built: Built) -> Any:
    return {"configurable": {"thread_id": "1"}}


def snapshot(state: StateSnapshot) -> Any:
    """A stored state, with its tasks and those of the graphs inside."""
    tasks = [
        {
            **plain(task._replace(state=None)),
            "state": snapshot(task.state) if isinstance(task.state, StateSnapshot) else plain(task.state),
        }
        for task in state.tasks
    ]
    return {**plain(state._replace(tasks=())), "tasks": tasks}


def history(built: Built) -> Any:
    """All stored states of the thread."""
    return _outcome(lambda: [snapshot(state) for state in built.graph.get_state_history(_thread(built))])


# --- comparing ---


def differences(one: Any, other: Any, where: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Where two records differ: all keys of a dict that do, of a list the first item."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            yield from differences(one.get(key, "(nothing)"), other.get(key, "(nothing)"), (*where, str(key)))
    elif isinstance(one, list) and isinstance(other, list):
        for place, (a, b) in enumerate(zip_longest(one, other, fillvalue="(nothing)")):
            found = list(differences(a, b, (*where, str(place))))
            if found:
                yield from found
                return
    elif one != other:
        yield where, one, other


def compare(case: Case) -> list[tuple[tuple[str, ...], Any, Any]]:
    """Run the case through both libraries."""
    return list(differences(record(case, parts.UPSTREAM), record(case, parts.AGENTKIT)))


def kind(where: tuple[str, ...]) -> str:
    """Where two records differ, whatever the turn and the place in a list."""
    return re.sub(r"\b\d+\b", "*", " / ".join(where))


def reduced(case: Case, where: tuple[str, ...]) -> Case:
    """The plainest case that still differs at the same facet."""
    for simpler in case.simpler():
        if on_purpose(simpler) is None and any(kind(found[0]) == kind(where) for found in compare(simpler)):
            return reduced(simpler, where)
    return case
