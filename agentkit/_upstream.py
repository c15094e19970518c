"""The one door to upstream's private parts.

Every underscored name or module of langgraph, langchain, langchain-core and deepagents that agentkit
uses is imported here and nowhere else, and each has a contract test in `tests/test_upstream.py` that
says what shape is relied on. Nothing that upstream has deprecated is imported.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, cast, get_args, get_type_hints

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, var_child_runnable_config
from langchain_core.tools import BaseTool, InjectedToolCallId
from langgraph import errors as _errors
from langgraph._internal import _constants
from langgraph._internal._runnable import RunnableCallable
from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed.base import is_managed_value
from langgraph.prebuilt import tool_node as _tool_node
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

__all__ = [
    "AFTER_MODEL_ROUTER",
    "AFTER_TOOLS_ROUTER",
    "CONF",
    "CONFIG_KEY_CHECKPOINTER",
    "CONFIG_KEY_CHECKPOINT_MAP",
    "CONFIG_KEY_CHECKPOINT_NS",
    "CONFIG_KEY_READ",
    "CONFIG_KEY_RESUME_MAP",
    "CONFIG_KEY_RESUMING",
    "CONFIG_KEY_SCRATCHPAD",
    "CONFIG_KEY_SEND",
    "INTERRUPT",
    "INTERRUPT_SEEN",
    "INTERRUPT_TAKES_SCHEMA",
    "NAMESPACE_END",
    "NAMESPACE_SEPARATOR",
    "NULL_TASK_ID",
    "PUSH",
    "READS_STATE_ON_EXECUTION",
    "RESUME",
    "STRICT_RESUME",
    "TASKS_CHANNEL",
    "TASK_MARKS",
    "CheckedStateGraph",
    "ExplainingToolNode",
    "RunnableCallable",
    "SaverTables",
    "UnknownInterruptError",
    "adopt_tool_node",
    "config_in_context",
    "explain_errors",
    "general_purpose_subagent",
    "has_file_permissions",
    "is_managed_value",
    "pending_nodes",
    "private_tool_node_names",
    "resolver_of",
    "saver_tables",
    "set_error_policy",
    "stream_transformers",
    "takes_state",
    "tool_call_wrappers",
    "with_file_permissions",
    "with_runtime",
]

ToolResult = ToolMessage | Command[Any]
ToolWrapper = Callable[[ToolCallRequest, Callable[[ToolCallRequest], Any]], Any]

# Newer langgraph lets a tool task read its state, coerced, when it runs; before, it had to be sent along.
READS_STATE_ON_EXECUTION = hasattr(_constants, "CONFIG_KEY_READ_STATE")

_ASYNC_TASKS_KEEP_CONTEXT = sys.version_info >= (3, 11)


def with_runtime(config: RunnableConfig | None) -> RunnableConfig:
    """Give a config the default `Runtime` that a node needs where no graph put one."""
    config = ensure_config(config)
    if _constants.CONFIG_KEY_RUNTIME in config["configurable"]:
        return config
    configurable = {**config["configurable"], _constants.CONFIG_KEY_RUNTIME: Runtime()}
    return {**config, "configurable": configurable}


@contextmanager
def config_in_context(config: RunnableConfig) -> Iterator[None]:
    """Make `get_config()` and nested runs work in an async node on Python 3.10.

    From 3.11 on langgraph does this itself, by the context of the task.
    """
    if _ASYNC_TASKS_KEEP_CONTEXT:
        yield
        return
    token = var_child_runnable_config.set(config)
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)


# --- tool nodes ---


class _Explained:
    """A tool whose validation errors all have a location, so that ToolNode shows each of them."""

    def __init__(self, tool: BaseTool) -> None:
        self._tool = tool

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tool, name)

    def invoke(self, *args: Any) -> Any:
        try:
            return self._tool.invoke(*args)
        except ValidationError as error:
            raise _located(error) from error

    async def ainvoke(self, *args: Any) -> Any:
        try:
            return await self._tool.ainvoke(*args)
        except ValidationError as error:
            raise _located(error) from error


def _located(error: ValidationError) -> ValidationError:
    """Give errors about the arguments as a whole a location; ToolNode drops those without one."""
    details = error.errors(include_url=False)
    if all(detail["loc"] for detail in details):
        return error
    return ValidationError.from_exception_data(
        error.title,
        [
            InitErrorDetails(
                type=PydanticCustomError(cast("Any", detail["type"]), cast("Any", detail["msg"])),
                loc=detail["loc"] or ("arguments",),
                input=detail["input"],
            )
            for detail in details
        ],
    )


class ExplainingToolNode(_tool_node.ToolNode):
    """ToolNode that tells the model what a cross-field validator said, and injects all that the function asks for."""

    def _inject_tool_args(self, tool_call: ToolCall, *args: Any, **kwargs: Any) -> ToolCall:
        injected = super()._inject_tool_args(tool_call, *args, **kwargs)
        tool = self.tools_by_name.get(tool_call["name"])
        names = () if tool is None else _call_id_parameters(tool)
        if not names:
            return injected
        return {**injected, "args": {**injected["args"], **dict.fromkeys(names, tool_call["id"])}}

    def _execute_tool_sync(self, request: ToolCallRequest, *args: Any) -> Any:
        return super()._execute_tool_sync(_explained(request), *args)

    async def _execute_tool_async(self, request: ToolCallRequest, *args: Any) -> Any:
        return await super()._execute_tool_async(_explained(request), *args)


def _call_id_parameters(tool: BaseTool) -> tuple[str, ...]:
    """The parameters of a tool's function that take the id of the call.

    langchain-core fills those that the tool's `args_schema` has, and of the others the one called `tool_call_id`.
    """
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None)
    try:
        hints = get_type_hints(function, include_extras=True) if function else {}
    except (NameError, TypeError):  # an annotation that can't be resolved here
        return ()
    return tuple(name for name, hint in hints.items() if any(map(_is_call_id, get_args(hint)[1:])))


def _is_call_id(mark: Any) -> bool:
    return isinstance(mark, InjectedToolCallId) or (isinstance(mark, type) and issubclass(mark, InjectedToolCallId))


def explain_errors(node: _tool_node.ToolNode) -> None:
    """Make a tool node that create_agent just made an ExplainingToolNode, which differs in methods only."""
    node.__class__ = ExplainingToolNode


def _explained(request: ToolCallRequest) -> ToolCallRequest:
    if request.tool is None:
        return request
    return request.override(tool=cast("BaseTool", _Explained(request.tool)))


def private_tool_node_names() -> dict[str, Any]:
    """The underscored names of upstream's tool_node module that dependents import."""
    return {
        name: value
        for name, value in vars(_tool_node).items()
        if name.startswith("_")
        and not name.startswith("__")
        and getattr(value, "__module__", None) == _tool_node.__name__
    }


def set_error_policy(node: _tool_node.ToolNode, policy: Any) -> None:
    """Change `handle_tool_errors` of a tool node that create_agent just made."""
    node._handle_tool_errors = policy


def tool_call_wrappers(node: _tool_node.ToolNode) -> tuple[ToolWrapper | None, ToolWrapper | None]:
    """The sync and async wrappers that create_agent composed from the middleware."""
    return node._wrap_tool_call, node._awrap_tool_call


def takes_state(node: _tool_node.ToolNode) -> bool:
    """Whether any tool of the node is given the state or the runtime."""
    return any(bool(args.state) or bool(args.runtime) for args in node._injected_args.values())


def adopt_tool_node(
    node: _tool_node.ToolNode,
    extra_tools: Iterable[BaseTool],
    wrap: ToolWrapper | None,
    awrap: ToolWrapper | None,
    guard: Any = None,
) -> _tool_node.ToolNode:
    """Copy a user's tool node, with the middleware's tools and wrappers around its own.

    The copy keeps the class, the error policy, the messages key and every overridden method. The wrappers
    of `guard`, a middleware, go inside the node's own.
    """
    adopted = copy(node)
    adopted.func = adopted._func
    adopted.afunc = adopted._afunc
    extra = _tool_node.ToolNode(list(extra_tools))
    adopted._tools_by_name = {**extra._tools_by_name, **node._tools_by_name}
    adopted._injected_args = {**extra._injected_args, **node._injected_args}
    own, own_async = node._wrap_tool_call, node._awrap_tool_call
    if guard is not None:
        own = own and _around(own, guard.wrap_tool_call)
        own_async = own_async and _around_async(own_async, guard.awrap_tool_call)
    adopted._wrap_tool_call = _around(wrap, own)
    adopted._awrap_tool_call = _around_async(awrap, own_async or _as_async(adopted, own))
    return adopted


def _as_async(node: _tool_node.ToolNode, wrap: ToolWrapper | None) -> ToolWrapper | None:
    """Let a node's sync wrapper stand in an async chain, as ToolNode lets it stand alone."""
    if wrap is None:
        return None

    async def run(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        return wrap(request, lambda changed: node._execute_tool_sync(changed, "tool_calls", changed.runtime.config))

    return run


def _around(outer: ToolWrapper | None, inner: ToolWrapper | None) -> ToolWrapper | None:
    if outer is None or inner is None:
        return outer or inner
    return lambda request, execute: outer(request, lambda changed: inner(changed, execute))


def _around_async(outer: ToolWrapper | None, inner: ToolWrapper | None) -> ToolWrapper | None:
    if outer is None or inner is None:
        return outer or inner

    async def composed(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        return await outer(request, lambda changed: inner(changed, execute))

    return composed


# --- compiled graphs ---

# The names under which create_agent hangs its two routers.
AFTER_MODEL_ROUTER, AFTER_TOOLS_ROUTER = "model_to_tools", "tools_to_model"


class CheckedStateGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph that refuses a thread which waits at a node it does not have.

    Plain langgraph drops such a task and reports the thread as finished.
    """

    def _migrate_checkpoint(self, checkpoint: Any) -> None:
        super()._migrate_checkpoint(checkpoint)
        missing = [node for node in pending_nodes(checkpoint) if node not in self.nodes]
        if missing:
            present = ", ".join(sorted(node for node in self.nodes if not node.startswith("__")))
            raise ValueError(
                f"This thread waits at node {missing[0]!r}, which this agent does not have (it has: {present}). "
                "Open the thread with an agent that has the node, or rename the node in the stored thread with "
                "`agentkit.threads.move`. Nothing was run."
            )


def pending_nodes(checkpoint: Mapping[str, Any]) -> list[str]:
    """The nodes that a stored checkpoint is about to run, whether or not a graph has them."""
    values, versions, seen = (checkpoint[key] for key in ("channel_values", "channel_versions", "versions_seen"))
    nodes: list[str] = []
    for channel, version in versions.items():
        # "branch:to:X" today, "start:X" and "branch:source:condition:X" up to langgraph 0.2.
        if channel.startswith(("branch:", "start:")) and channel in values:
            node = channel.rsplit(":", 1)[1]
            before = seen.get(node, {}).get(channel)
            if before is None or version > before:
                nodes.append(node)
    sends = [*(values.get(_constants.TASKS) or ()), *(checkpoint.get("pending_sends") or ())]
    return list(dict.fromkeys([*nodes, *(send.node for send in sends)]))


def stream_transformers(graph: CompiledStateGraph[Any, Any, Any, Any]) -> tuple[Any, ...]:
    """The stream transformers that create_agent registered, on upstreams that have them."""
    return tuple(getattr(graph, "stream_transformers", ()))


# --- approvals ---

CONF = _constants.CONF
CONFIG_KEY_CHECKPOINTER = _constants.CONFIG_KEY_CHECKPOINTER
CONFIG_KEY_CHECKPOINT_MAP = _constants.CONFIG_KEY_CHECKPOINT_MAP
CONFIG_KEY_CHECKPOINT_NS = _constants.CONFIG_KEY_CHECKPOINT_NS
CONFIG_KEY_READ = _constants.CONFIG_KEY_READ
CONFIG_KEY_RESUME_MAP = _constants.CONFIG_KEY_RESUME_MAP
CONFIG_KEY_RESUMING = _constants.CONFIG_KEY_RESUMING
CONFIG_KEY_SCRATCHPAD = _constants.CONFIG_KEY_SCRATCHPAD
CONFIG_KEY_SEND = _constants.CONFIG_KEY_SEND
INTERRUPT = _constants.INTERRUPT
NULL_TASK_ID = _constants.NULL_TASK_ID
PUSH = _constants.PUSH
RESUME = _constants.RESUME
# What a task may have written that has not finished. A saver stores these at negative indices.
TASK_MARKS = frozenset(WRITES_IDX_MAP)

# Newer langgraph can refuse answers to pauses that no longer wait, before it writes anything.
STRICT_RESUME: str | None = getattr(_constants, "CONFIG_KEY_STRICT_RESUME", None)
UnknownInterruptError: type[Exception] = getattr(_errors, "UnknownInterruptError", type("Unknown", (Exception,), {}))

# langgraph 1.2.12 brought `interrupt(value, response_schema=)`.
INTERRUPT_TAKES_SCHEMA = "response_schema" in inspect.signature(interrupt).parameters


def has_file_permissions(middleware: Any) -> bool:
    """Whether this is deepagents' `FilesystemMiddleware` and enforces deny rules itself."""
    return type(middleware).__name__ == "FilesystemMiddleware" and bool(getattr(middleware, "_permissions", None))


def with_file_permissions(middleware: Any, rules: Sequence[Any]) -> Any:
    """Give deepagents' `FilesystemMiddleware` rules to enforce, if it can take them and has none.

    Args:
        middleware: Any middleware.
        rules: The permission rules.

    Returns:
        The middleware, or a copy of it with the rules.
    """
    if not hasattr(middleware, "_with_permissions") or has_file_permissions(middleware):
        return middleware
    from deepagents import FilesystemPermission

    theirs = [FilesystemPermission(list(r.operations), list(r.paths), r.mode) for r in rules]
    return middleware._with_permissions(theirs)


def resolver_of(backend: Any) -> Callable[[str], str] | None:
    """How the real path behind a path of a deepagents backend is found."""
    from deepagents.middleware import filesystem

    resolve = getattr(filesystem, "_resolve_real_path", _real_path)
    return None if backend is None else lambda path: str(resolve(backend, path))


def _real_path(backend: Any, path: str) -> str:
    """What `_resolve_real_path` does, for deepagents before it resolved links itself."""
    from deepagents.backends import CompositeBackend, FilesystemBackend
    from deepagents.backends.composite import _route_for_path

    if isinstance(backend, CompositeBackend):
        routed, key, prefix = _route_for_path(default=backend.default, sorted_routes=backend.sorted_routes, path=path)
        real = _real_path(routed, key)
        return real if prefix is None else prefix.rstrip("/") + real
    if isinstance(backend, FilesystemBackend):
        full = backend._resolve_path(path)
        return backend._to_virtual_path(full) if backend.virtual_mode else str(full)
    return path


def general_purpose_subagent(model: Any) -> dict[str, Any] | None:
    """The sub-agent deepagents adds by itself, as a spec, or None where the model's profile has none.

    Args:
        model: The model of the agent, as given.

    Returns:
        A spec with name, description and system prompt.
    """
    from deepagents import graph
    from deepagents.middleware.subagents import GENERAL_PURPOSE_SUBAGENT

    spec: dict[str, Any] = dict(GENERAL_PURPOSE_SUBAGENT)
    lookup, resolve = getattr(graph, "_harness_profile_for_model", None), getattr(graph, "resolve_model", None)
    if lookup is None or resolve is None or model is None:
        return spec
    own = lookup(resolve(model), model if isinstance(model, str) else None).general_purpose_subagent
    if own is None:
        return spec
    texts = {key: getattr(own, key) for key in ("description", "system_prompt")}
    spec.update({key: text for key, text in texts.items() if text is not None})
    return None if own.enabled is False else spec


# --- stored threads ---

# The channel that holds the `Send`s which are about to run, and the entry of `versions_seen` that
# remembers what the last static interrupt saw.
TASKS_CHANNEL, INTERRUPT_SEEN = _constants.TASKS, _constants.INTERRUPT
# A sub-graph's checkpoints are stored under `node:task|node:task`.
NAMESPACE_SEPARATOR, NAMESPACE_END = _constants.NS_SEP, _constants.NS_END

# --- the tables of the savers ---

_SAVERS = {
    "langgraph.checkpoint.sqlite:SqliteSaver": ("writes", "?", False),
    "langgraph.checkpoint.sqlite.aio:AsyncSqliteSaver": ("writes", "?", True),
    "langgraph.checkpoint.postgres:PostgresSaver": ("checkpoint_writes", "%s", False),
    "langgraph.checkpoint.postgres.aio:AsyncPostgresSaver": ("checkpoint_writes", "%s", True),
}

# Every step is a lookup in a primary key: the next thread, its latest checkpoint, that checkpoint's writes, the events
# of its records. No checkpoint is read.
_UNFINISHED_THREADS = """
WITH RECURSIVE threads(thread_id) AS (
    SELECT {first}
    UNION ALL
    SELECT (SELECT min(c.thread_id) FROM checkpoints c WHERE c.thread_id > threads.thread_id)
    FROM threads WHERE threads.thread_id IS NOT NULL AND {whole}
), latest(thread_id, checkpoint_id) AS (
    SELECT thread_id, (
        SELECT max(c.checkpoint_id) FROM checkpoints c
        WHERE c.thread_id = threads.thread_id AND c.checkpoint_ns = ''
    ) FROM threads WHERE thread_id IS NOT NULL
), marked(thread_id, checkpoint_id, interrupted, in_doubt) AS (
    SELECT thread_id, checkpoint_id, EXISTS (
        SELECT 1 FROM {writes} w
        WHERE w.thread_id = latest.thread_id AND w.checkpoint_ns = '' AND w.checkpoint_id = latest.checkpoint_id
        AND w.channel = {mark} AND NOT EXISTS (
            SELECT 1 FROM {writes} d
            WHERE d.thread_id = w.thread_id AND d.checkpoint_ns = '' AND d.checkpoint_id = w.checkpoint_id
            AND d.task_id = w.task_id AND d.idx >= 0
        )
    ), EXISTS (
        SELECT 1 FROM {writes} e
        WHERE e.thread_id = latest.thread_id AND e.checkpoint_ns = {mark} AND e.channel IN ({mark}, {mark})
        GROUP BY e.checkpoint_id HAVING sum(CASE WHEN e.channel = {mark} THEN 1 ELSE -1 END) > 0
    ) FROM latest
)
SELECT thread_id, checkpoint_id, in_doubt FROM marked
WHERE (interrupted OR in_doubt) AND ({mark} = '' OR checkpoint_id < {mark})
ORDER BY checkpoint_id DESC
"""


class SaverTables:
    """The tables of a saver that keeps its checkpoints in SQLite or PostgreSQL."""

    def __init__(self, saver: Any, writes: str, mark: str, is_async: bool) -> None:
        self._saver, self._writes, self._mark, self._is_async = saver, writes, mark, is_async

    def query(self, events: tuple[str, str, str], thread: str | None, before: str | None) -> tuple[str, list[Any]]:
        """Write the query for the threads that wait or have a call that was started and has not ended.

        Args:
            events: The checkpoint namespace of the records, and their channels for a start and an end.
            thread: This thread only.
            before: Only threads whose latest checkpoint has a smaller id.

        Returns:
            The query and its parameters.
        """
        namespace, started, ended = events
        first = "(SELECT min(c.thread_id) FROM checkpoints c)" if thread is None else f"CAST({self._mark} AS TEXT)"
        whole = "1 = 1" if thread is None else "1 = 0"
        sql = _UNFINISHED_THREADS.format(first=first, whole=whole, writes=self._writes, mark=self._mark)
        last = ["" if before is None else before] * 2
        return sql, [*([] if thread is None else [thread]), INTERRUPT, namespace, started, ended, started, *last]

    def unfinished(self, *args: Any) -> list[tuple[str, str, bool]]:
        """Run the query."""
        if self._is_async:
            return asyncio.run_coroutine_threadsafe(self.aunfinished(*args), self._saver.loop).result()
        sql, values = self.query(*args)
        cursor = self._saver.cursor(transaction=False) if self._mark == "?" else self._saver._cursor()
        with cursor as cur:
            cur.execute(sql, values)
            return _rows(cur.fetchall())

    async def aunfinished(self, *args: Any) -> list[tuple[str, str, bool]]:
        """Run the query."""
        if not self._is_async:
            name = type(self._saver).__name__
            raise TypeError(f"{name} has no async methods: use hitl.waiting(), or Async{name}.")
        sql, values = self.query(*args)
        if self._mark == "?":
            await self._saver.setup()
            async with self._saver.lock, self._saver.conn.execute(sql, values) as cur:
                return _rows(await cur.fetchall())
        async with self._saver._cursor() as cur:
            await cur.execute(sql, values)
            return _rows(await cur.fetchall())


def _rows(found: Iterable[Any]) -> list[tuple[str, str, bool]]:
    values = [tuple(row.values()) if isinstance(row, Mapping) else tuple(row) for row in found]
    return [(thread, checkpoint, bool(in_doubt)) for thread, checkpoint, in_doubt in values]


def saver_tables(saver: Any) -> SaverTables | None:
    """The tables of a saver, or None where it is not known how it keeps its checkpoints."""
    for base in type(saver).__mro__:
        name = f"{base.__module__}:{base.__qualname__}"
        if name in _SAVERS:
            return SaverTables(saver, *_SAVERS[name])
    return None
