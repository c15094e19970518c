"""Tools as langchain and langgraph can read them, and what two of them must not share."""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast, get_type_hints

from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.tools import tool as as_tool

from agentkit._deprecation import user_stacklevel

T = TypeVar("T")


def per_tool(read: Callable[[BaseTool], T]) -> Callable[[BaseTool], T]:
    """Remember what was read from a tool, as long as it lives and has the same schema and functions."""
    known: dict[int, tuple[weakref.ref[BaseTool], tuple[int, ...], T]] = {}

    @functools.wraps(read)
    def reading(tool: BaseTool) -> T:
        # By id: a function may lead back to the tool, which would then live for ever.
        basis = (id(tool.args_schema), id(getattr(tool, "func", None)), id(getattr(tool, "coroutine", None)))
        entry = known.get(id(tool))
        if entry is not None and entry[0]() is tool and entry[1] == basis:
            return entry[2]
        value = read(tool)
        key = id(tool)
        known[key] = (weakref.ref(tool, lambda _: known.pop(key, None)), basis, value)
        return value

    return reading


def readable_tool(tool: Any) -> BaseTool:
    """Make a `BaseTool` whose annotations langchain and langgraph can resolve.

    Args:
        tool: A tool, a function, a partial or a callable object.

    Returns:
        The tool itself where there is nothing to mend, else a copy with the same name, schema and behaviour.
    """
    if not isinstance(tool, BaseTool):
        if inspect.isroutine(tool) or not callable(tool) or isinstance(tool, type):
            tool = as_tool(tool)
        else:
            tool = StructuredTool.from_function(**_readable(tool))
    unreadable = {name: getattr(tool, name) for name in _unreadable(tool)}
    for function in unreadable.values():
        _warn_unresolved(tool, function)
    mended = {name: _mended(function) for name, function in unreadable.items()}
    return cast("BaseTool", tool.model_copy(update=mended) if mended else tool)


@per_tool
def _unreadable(tool: BaseTool) -> tuple[str, ...]:
    """Which of a tool's functions upstream can't read."""
    parts = {name: getattr(tool, name, None) for name in ("func", "coroutine")}
    return tuple(name for name, part in parts.items() if part is not None and not _is_readable(part))


def _is_readable(function: Callable[..., Any]) -> bool:
    if not inspect.isroutine(function):
        return False
    try:
        get_type_hints(function, include_extras=True)
    except Exception:  # noqa: BLE001 - an annotation may be any expression
        return False
    return True


def _readable(function: Callable[..., Any]) -> dict[str, Any]:
    """A partial or a callable object as `func` or `coroutine` of a tool."""
    inner: Any = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    mended = _mended(function)
    mended.__name__ = getattr(inner, "__name__", type(inner).__name__)
    mended.__doc__ = inner.__doc__
    return {"coroutine" if inspect.iscoroutinefunction(mended) else "func": mended}


def _mended(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with the annotations that can be resolved, and no others."""
    call = getattr(function, "__call__", None)  # noqa: B004 - the method itself is looked at

    def run(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    async def arun(*args: Any, **kwargs: Any) -> Any:
        return await function(*args, **kwargs)

    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
    mended: Any = arun if is_async else run
    mended.__name__ = getattr(function, "__name__", type(function).__name__)
    known = hints(function)
    mended.__annotations__ = known
    mended.__signature__ = inspect.Signature(
        [
            parameter.replace(annotation=known.get(name, inspect.Parameter.empty))
            for name, parameter in parameters(function).items()
        ]
    )
    return mended  # type: ignore[no-any-return]


def _warn_unresolved(tool: BaseTool, function: Callable[..., Any]) -> None:
    """Name each parameter that neither the model nor an annotation fills in."""
    known = hints(function)
    for name, parameter in parameters(function).items():
        if name in known or not isinstance(parameter.annotation, str) or name in tool.args:
            continue
        warnings.warn(
            f"The annotation {parameter.annotation!r} of parameter {name!r} of tool {tool.name!r} can't be resolved, "
            "so nothing is injected for it. Import what it names at run time, not under TYPE_CHECKING.",
            stacklevel=2,
        )


def hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a callable's parameters, each resolved on its own; without those that can't be."""
    resolved = {name: _resolved(parameter.annotation, function) for name, parameter in parameters(function).items()}
    return {name: hint for name, hint in resolved.items() if hint is not inspect.Parameter.empty}


def parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a callable."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        return {}


def _resolved(annotation: Any, function: Callable[..., Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation

    def holder() -> None: ...

    holder.__annotations__ = {"value": annotation}
    try:
        return get_type_hints(holder, globalns=_globals_of(function), include_extras=True)["value"]
    except Exception:  # noqa: BLE001 - an annotation may be any expression
        return inspect.Parameter.empty


def _globals_of(function: Any) -> dict[str, Any]:
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not isinstance(function, type):
        function = type(function).__call__
    return getattr(inspect.unwrap(function), "__globals__", {})


# --- names ---


def check_names(
    tools: Iterable[Any], middleware: Sequence[Any] = (), interrupt_on: Any = None, permissions: Any = None
) -> None:
    """See that no two tools have one name: the model is told of both and only one can run.

    Args:
        tools: The agent's own tools, as they were given.
        middleware: The agent's `middleware=`, which may bring tools and gates.
        interrupt_on: The agent's `interrupt_on=`.
        permissions: The agent's `permissions=`.

    Raises:
        ValueError: If two tools have one name where a gate or a rule is in force, which would hold for one of
            them and let the other through.
    """
    gates = any(isinstance(one, HumanInTheLoopMiddleware) for one in middleware)
    gated = bool(interrupt_on) or permissions is not None or gates
    brought = [tool for one in middleware for tool in getattr(one, "tools", ())]
    seen: dict[str, tuple[Any, str]] = {}
    for tool, owner in [*((tool, "tools=") for tool in tools), *((tool, "middleware") for tool in brought)]:
        name = _name_of(tool)
        if name is None:
            continue
        other, other_owner = seen.setdefault(name, (tool, owner))
        if other is tool:
            continue
        message = (
            f"Two tools are called {name!r}: {_described(other)} from {other_owner} and {_described(tool)} from "
            f"{owner}. Only one of them can run, whichever the model means. Rename one."
        )
        if gated:
            raise ValueError(f"{message} With interrupt_on= or permissions= the agent is not built.")
        warnings.warn(message, stacklevel=user_stacklevel())


def one_of_each_name(tools: Iterable[Any]) -> list[Any]:
    """The tools that can run: of two with one name the last, as in upstream's tool node."""
    return list({_name_of(tool) or str(id(tool)): tool for tool in tools}.values())


def _name_of(tool: Any) -> str | None:
    if isinstance(tool, BaseTool):
        return tool.name
    return None if isinstance(tool, dict) else getattr(tool, "__name__", None)


def _described(tool: Any) -> str:
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or tool
    if not inspect.isroutine(function):
        function = type(function)
    return f"{function.__module__}.{function.__qualname__}"
