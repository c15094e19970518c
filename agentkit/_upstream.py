"""The one door to upstream's private parts.

Every underscored name or module of langgraph, langchain, langchain-core and deepagents that agentkit
uses is imported here and nowhere else, and each has a contract test in `tests/test_upstream.py` that
says what shape is relied on. Nothing that upstream has deprecated is imported.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, var_child_runnable_config
from langchain_core.tools import BaseTool
from langgraph import errors as _errors
from langgraph._internal import _constants
from langgraph._internal._runnable import RunnableCallable
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
    "HookedStateGraph",
    "HookedToolNode",
    "RunnableCallable",
    "UnknownInterruptError",
    "config_in_context",
    "copy_tool_node",
    "deepagents_real_path",
    "execute_tool",
    "harness_profile",
    "has_file_permissions",
    "is_managed_value",
    "path_on_disk",
    "private_tool_node_names",
    "route_for_path",
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


class HookedToolNode(_tool_node.ToolNode):
    """ToolNode with a name for each private step that agentkit's tool node changes."""

    def inject(self, tool_call: ToolCall, injected: ToolCall) -> ToolCall:
        """The call as it is to run, from what upstream injected."""
        return injected

    def prepare(self, request: ToolCallRequest) -> ToolCallRequest:
        """The request as it is to run, inside of every wrapper."""
        return request

    def _inject_tool_args(self, tool_call: ToolCall, *args: Any, **kwargs: Any) -> ToolCall:
        return self.inject(tool_call, super()._inject_tool_args(tool_call, *args, **kwargs))

    def _execute_tool_sync(self, request: ToolCallRequest, *args: Any) -> Any:
        return super()._execute_tool_sync(self.prepare(request), *args)

    async def _execute_tool_async(self, request: ToolCallRequest, *args: Any) -> Any:
        return await super()._execute_tool_async(self.prepare(request), *args)


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


def copy_tool_node(
    node: _tool_node.ToolNode, extra_tools: Iterable[BaseTool], wrap: ToolWrapper | None, awrap: ToolWrapper | None
) -> _tool_node.ToolNode:
    """Copy a tool node, of whatever class, with more tools and with other wrappers."""
    adopted = copy(node)
    adopted.func = adopted._func
    adopted.afunc = adopted._afunc
    extra = _tool_node.ToolNode(list(extra_tools))
    adopted._tools_by_name = {**extra._tools_by_name, **node._tools_by_name}
    adopted._injected_args = {**extra._injected_args, **node._injected_args}
    adopted._wrap_tool_call, adopted._awrap_tool_call = wrap, awrap
    return adopted


def execute_tool(node: _tool_node.ToolNode, request: ToolCallRequest) -> Any:
    """Run one call synchronously, inside of the node's wrappers."""
    return node._execute_tool_sync(request, "tool_calls", request.runtime.config)


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
CONFIG_KEY_SCRATCHPAD = _constants.CONFIG_KEY_SCRATCHPAD
CONFIG_KEY_SEND = _constants.CONFIG_KEY_SEND
INTERRUPT = _constants.INTERRUPT
NULL_TASK_ID = _constants.NULL_TASK_ID
PUSH = _constants.PUSH
RESUME = _constants.RESUME

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
