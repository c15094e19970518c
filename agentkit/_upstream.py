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
from functools import partial, wraps
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, run_in_executor, var_child_runnable_config
from langchain_core.tools import BaseTool
from langchain_core.tools.base import _is_injected_arg_type
from langgraph import errors as _errors
from langgraph._internal import _constants
from langgraph._internal._runnable import RunnableCallable
from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.config import get_config
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed.base import is_managed_value
from langgraph.prebuilt import tool_node as _tool_node
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

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
    "HookedStateGraph",
    "HookedToolNode",
    "RunnableCallable",
    "SaverTables",
    "UnknownInterruptError",
    "config_in_context",
    "deepagents_real_path",
    "file_tool_owner",
    "harness_profile",
    "is_managed_value",
    "is_shell_tool",
    "keep_off_loop",
    "off_loop",
    "path_on_disk",
    "private_tool_node_names",
    "repaired_messages",
    "route_for_path",
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

# What becomes of an exception in a tool where nothing else is said.
DEFAULT_HANDLE_TOOL_ERRORS = _tool_node._default_handle_tool_errors

# Newer langgraph lets a tool task read its state, coerced, when it runs; before, it had to be sent along.
READS_STATE_ON_EXECUTION = hasattr(_constants, "CONFIG_KEY_READ_STATE")

_ASYNC_TASKS_KEEP_CONTEXT = sys.version_info >= (3, 11)


def off_loop(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make the async form of a sync function, which a `RunnableCallable` runs in a thread, with its context."""
    return wraps(function)(partial(run_in_executor, None, function))


def keep_off_loop(graph: CompiledStateGraph[Any, Any, Any, Any]) -> None:
    """Give each sync node an async form; `RunnableCallable` alone runs it in the event loop."""
    for node in graph.builder.nodes.values():
        runnable: Any = node.runnable
        if isinstance(runnable, RunnableCallable) and runnable.afunc is None and runnable.func is not None:
            runnable.afunc = off_loop(runnable.func)


def _runs_in_a_task() -> bool:
    try:
        return _constants.CONFIG_KEY_READ in get_config().get("configurable", {})
    except RuntimeError:
        return False


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


class HookedToolNode(_tool_node.ToolNode):
    """ToolNode with a name for each private step that agentkit's tool node changes."""

    def __init__(self, tools: Iterable[BaseTool], **options: Any) -> None:
        super().__init__([], **options)
        for tool in tools:
            self._tools_by_name[tool.name] = tool

    def inject(self, call: ToolCall, runtime: Any, tool: Any) -> ToolCall:
        """The call as it is to run, with what the node fills in."""
        raise NotImplementedError

    def prepare(self, request: ToolCallRequest, *, is_async: bool) -> ToolCallRequest:
        """The request as it is to run, inside of every wrapper."""
        raise NotImplementedError

    def check_result(self, result: Any, call: ToolCall, input_type: str) -> Any:
        """What a tool returned, checked."""
        raise NotImplementedError

    def check_wrapped(self, result: Any, call: ToolCall) -> None:
        """Refuse, by an exception, what came out of the wrappers."""
        raise NotImplementedError

    def join(self, outputs: list[Any], config: RunnableConfig | None) -> list[Any]:
        """The results of all calls, flat, or (with a config) those of the task; as few commands as can be."""
        raise NotImplementedError

    def _func(self, input: Any, config: RunnableConfig, runtime: Runtime) -> Any:
        return self._joined(super()._func(input, config, runtime), config)

    async def _afunc(self, input: Any, config: RunnableConfig, runtime: Runtime) -> Any:
        return self._joined(await super()._afunc(input, config, runtime), config)

    def _joined(self, outputs: Any, config: RunnableConfig) -> Any:
        in_a_task = _constants.CONFIG_KEY_READ in config.get("configurable", {})
        return self.join(outputs, config) if in_a_task and isinstance(outputs, list) else outputs

    def _combine_tool_outputs(self, outputs: list[Any], input_type: Any) -> Any:
        if not _runs_in_a_task():  # alone, a node gives what upstream's gives
            return super()._combine_tool_outputs(outputs, input_type)
        flat = [item for output in outputs for item in (output if isinstance(output, list) else [output])]
        joined = self.join(flat, None)
        if not any(isinstance(output, Command) and output.graph == Command.PARENT for output in joined):
            return super()._combine_tool_outputs(joined, input_type)
        # Upstream drops the update of a command for the parent that goes to no node or to `Send`s alone.
        return [
            output
            if isinstance(output, Command)
            else [output]
            if input_type == "list"
            else {self._messages_key: [output]}
            for output in joined
        ]

    def _inject_tool_args(self, tool_call: ToolCall, tool_runtime: Any, tool: BaseTool | None = None) -> ToolCall:
        return self.inject(tool_call, tool_runtime, tool or self._tools_by_name[tool_call["name"]])

    def _normalize_tool_response(self, response: Any, tool_call: ToolCall, input_type: Any) -> Any:
        return self.check_result(response, tool_call, input_type)

    def _execute_tool_sync(self, request: ToolCallRequest, *args: Any) -> Any:
        return super()._execute_tool_sync(self.prepare(request, is_async=False), *args)

    async def _execute_tool_async(self, request: ToolCallRequest, *args: Any) -> Any:
        return await super()._execute_tool_async(self.prepare(request, is_async=True), *args)

    def _run_one(self, call: ToolCall, *args: Any) -> Any:
        result = super()._run_one(call, *args)
        self.check_wrapped(result, call)
        return result

    async def _arun_one(self, call: ToolCall, *args: Any) -> Any:
        result = await super()._arun_one(call, *args)
        self.check_wrapped(result, call)
        return result


def messages_key(node: _tool_node.ToolNode) -> str:
    """The state key under which a tool node reads and writes messages."""
    return node._messages_key


def injection(hint: Any, kind: Any) -> Any:
    """The mark of one kind in an annotation, True where it has no instance, None where there is none."""
    return _tool_node._get_injection_from_type(hint, kind)


def is_injected(hint: Any) -> bool:
    """Whether langchain-core leaves a parameter with this annotation to the caller."""
    return _is_injected_arg_type(hint)


def let_through(tool: BaseTool, names: frozenset[str]) -> None:
    """Make a tool hand on arguments that are not in its schema.

    langchain-core reads them off `func` or `_run` alone and remembers them in this attribute.
    """
    if not names <= tool._injected_args_keys:
        tool.__dict__["_injected_args_keys"] = tool._injected_args_keys | names


def set_injected(
    node: _tool_node.ToolNode,
    tool: str,
    state: Mapping[str, str | None],
    store: Sequence[str],
    runtime: Sequence[str],
    hidden: Iterable[str],
) -> None:
    """Tell a tool node what is injected into a tool, which it leaves out of the errors that it reports."""
    first = {"store": next(iter(store), None), "runtime": next(iter(runtime), None)}
    node._injected_args[tool] = _tool_node._InjectedArgs(
        state=dict(state), **first, all_injected_keys=set(hidden), _optional_state_args=set()
    )


def update_pairs(command: Command[Any]) -> list[tuple[str, Any]]:
    """The update of a command as (key, value) pairs, in whatever form it was given."""
    return list(command._update_as_tuples())


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


def rebind(node: _tool_node.ToolNode) -> None:
    """Let a tool node whose class was changed, or that was copied, run its own methods."""
    node.func, node.afunc = node._func, node._afunc


def become(node: _tool_node.ToolNode, other: _tool_node.ToolNode) -> None:
    """Make a tool node another one, of whatever class, which keeps the tools that it alone had."""
    tools = {**node._tools_by_name, **other._tools_by_name}
    injected = {**node._injected_args, **other._injected_args}
    node.__class__ = other.__class__
    node.__dict__.update(other.__dict__)
    node._tools_by_name, node._injected_args = tools, injected
    rebind(node)


def set_wrappers(node: _tool_node.ToolNode, wrap: ToolWrapper | None, awrap: ToolWrapper | None) -> None:
    """Replace the wrappers of a tool node."""
    node._wrap_tool_call, node._awrap_tool_call = wrap, awrap


# --- compiled graphs ---

# The names under which create_agent hangs its two routers.
AFTER_MODEL_ROUTER, AFTER_TOOLS_ROUTER = "model_to_tools", "tools_to_model"


class HookedStateGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph with a name for the step in which a stored checkpoint is loaded."""

    def check_checkpoint(self, checkpoint: Mapping[str, Any]) -> None:
        """Refuse, by an exception, a checkpoint that this graph can't go on from."""

    def _migrate_checkpoint(self, checkpoint: Any) -> None:
        super()._migrate_checkpoint(checkpoint)
        self.check_checkpoint(checkpoint)


def tools_node(agent: CompiledStateGraph[Any, Any, Any, Any]) -> _tool_node.ToolNode | None:
    """The tool node that create_agent made, which its graph holds and its routers read; None without tools."""
    node = agent.builder.nodes.get("tools")
    return None if node is None else node.runnable  # type: ignore[return-value]


def stream_transformers(graph: CompiledStateGraph[Any, Any, Any, Any]) -> tuple[Any, ...]:
    """The stream transformers that create_agent registered, on upstreams that have them."""
    return tuple(getattr(graph, "stream_transformers", ()))


def repaired_messages(messages: Sequence[Any]) -> Sequence[Any]:
    """The history as create_agent sends it: with an answer after each malformed call, where it repairs them."""
    from langchain.agents import factory

    repair = getattr(factory, "_patch_invalid_tool_calls", None)
    repaired: Sequence[Any] = messages if repair is None else repair(messages)
    return repaired


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


_FILE_TOOL_MODULES = ("deepagents.middleware.filesystem", "langchain.agents.middleware.file_search")


def file_tool_owner(tool: Any) -> tuple[str, Any] | None:
    """Recognise a built-in file tool by the function it runs, whatever it is called and whoever brought it.

    Args:
        tool: Any tool, or None.

    Returns:
        The name that deepagents or langchain gave it, and the middleware that made it; None for any other tool.
    """
    function: Any = getattr(tool, "func", None)
    if getattr(function, "__module__", "") not in _FILE_TOOL_MODULES:
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return function.__name__.removeprefix("sync_"), cells["self"].cell_contents


def is_shell_tool(tool: Any) -> bool:
    """Whether it is the tool of langchain's `ShellToolMiddleware`, which reads and writes any path."""
    return getattr(getattr(tool, "func", None), "__module__", "") == "langchain.agents.middleware.shell_tool"


def with_file_permissions(middleware: Any, rules: Sequence[Any]) -> Any:
    """Give deepagents' `FilesystemMiddleware` rules to enforce, if it can take them and has none.

    Args:
        middleware: Any middleware.
        rules: The permission rules.

    Returns:
        The middleware, or a copy of it with the rules.
    """
    if not hasattr(middleware, "_with_permissions") or getattr(middleware, "_permissions", None):
        return middleware
    from deepagents import FilesystemPermission

    theirs = [FilesystemPermission(list(r.operations), list(r.paths), r.mode) for r in rules]
    return middleware._with_permissions(theirs)


def deepagents_real_path() -> Callable[[Any, str], str] | None:
    """Deepagents' own function from a backend and a path to the path behind its links, where it has one."""
    from deepagents.middleware import filesystem

    return getattr(filesystem, "_resolve_real_path", None)


def route_for_path(backend: Any, path: str) -> tuple[Any, str, str | None]:
    """The backend inside deepagents' `CompositeBackend` that holds a path, the path there, and its prefix."""
    from deepagents.backends.composite import _route_for_path

    return _route_for_path(default=backend.default, sorted_routes=backend.sorted_routes, path=path)


def path_on_disk(backend: Any, path: str) -> str:
    """The path that deepagents' `FilesystemBackend` opens, as the backend's user writes it."""
    full = backend._resolve_path(path)
    return str(backend._to_virtual_path(full) if backend.virtual_mode else full)


def harness_profile(model: Any) -> Any:
    """Deepagents' profile of a model, where the version has them."""
    from deepagents import graph

    lookup, resolve = getattr(graph, "_harness_profile_for_model", None), getattr(graph, "resolve_model", None)
    if lookup is None or resolve is None or model is None:
        return None
    return lookup(resolve(model), model if isinstance(model, str) else None)


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
