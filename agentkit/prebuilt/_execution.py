"""How agentkit's tool nodes run a call, whoever made the node: the user, `create_react_agent` or `create_agent`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast, get_args, get_type_hints

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool, InjectedToolCallId
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from agentkit._upstream import HookedToolNode, ToolWrapper, copy_tool_node, execute_tool, tool_call_wrappers


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


class ExplainingToolNode(HookedToolNode):
    """ToolNode that tells the model what a cross-field validator said, and injects all that the function asks for."""

    def inject(self, tool_call: ToolCall, injected: ToolCall) -> ToolCall:
        """Fill in the parameters that upstream leaves out."""
        tool = self.tools_by_name.get(tool_call["name"])
        names = () if tool is None else _call_id_parameters(tool)
        if not names:
            return injected
        return {**injected, "args": {**injected["args"], **dict.fromkeys(names, tool_call["id"])}}

    def prepare(self, request: ToolCallRequest) -> ToolCallRequest:
        """Explain what fails inside of every wrapper."""
        if request.tool is None:
            return request
        return request.override(tool=cast("BaseTool", _Explained(request.tool)))


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


def explain_errors(node: UpstreamToolNode) -> None:
    """Make a tool node that create_agent just made an ExplainingToolNode, which differs in methods only."""
    node.__class__ = ExplainingToolNode


def adopt_tool_node(
    node: UpstreamToolNode,
    extra_tools: Iterable[BaseTool],
    wrap: ToolWrapper | None,
    awrap: ToolWrapper | None,
    guard: Any = None,
) -> UpstreamToolNode:
    """Copy a user's tool node, with the middleware's tools and wrappers around its own.

    The copy keeps the class, the error policy, the messages key and every overridden method. The wrappers
    of `guard`, a middleware, go inside the node's own.
    """
    own, own_async = tool_call_wrappers(node)
    if guard is not None:
        own = own and _around(own, guard.wrap_tool_call)
        own_async = own_async and _around_async(own_async, guard.awrap_tool_call)
    composed = _around(wrap, own), _around_async(awrap, own_async or _as_async(node, own))
    return copy_tool_node(node, extra_tools, *composed)


def _as_async(node: UpstreamToolNode, wrap: ToolWrapper | None) -> ToolWrapper | None:
    """Let a node's sync wrapper stand in an async chain, as ToolNode lets it stand alone."""
    if wrap is None:
        return None

    async def run(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        return wrap(request, lambda changed: execute_tool(node, changed))

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
