"""How a call is run, in agentkit's tool nodes and in the node that create_agent made."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool, ToolException
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from agentkit import _upstream as up
from agentkit.middleware._guard import ApprovalGuard

_TELLS_CANCELLATION = sys.version_info >= (3, 11)


class PreparedTool:
    """A tool as it is run inside of every wrapper: what fails in it is told so that ToolNode can answer it.

    Args:
        tool: The tool.
        is_async: Whether `ainvoke` will run it.
    """

    def __init__(self, tool: BaseTool, *, is_async: bool) -> None:
        self.tool, self.is_async = tool, is_async

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tool, name)

    def invoke(self, *args: Any) -> Any:
        """Run the tool."""
        try:
            return self.tool.invoke(*args)
        except ValidationError as error:
            raise _located(error) from error
        except asyncio.CancelledError as error:
            raise self._cancelled() from error

    async def ainvoke(self, *args: Any) -> Any:
        """Run the tool; only a cancellation of this very task is one."""
        try:
            return await self.tool.ainvoke(*args)
        except ValidationError as error:
            raise _located(error) from error
        except asyncio.CancelledError as error:
            if _is_cancelling():
                raise
            raise self._cancelled() from error

    def _cancelled(self) -> ToolException:
        return ToolException(f"Something that tool {self.tool.name!r} waited for was cancelled.")


def _is_cancelling() -> bool:
    task = asyncio.current_task()
    return not _TELLS_CANCELLATION or task is None or bool(cast("Any", task).cancelling())


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


# --- wrappers ---


def in_thread(wrap: up.ToolWrapper) -> up.ToolWrapper:
    """Make the async form of a sync wrapper: it runs in a thread of its own, and what it wraps in the event loop."""

    async def run(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        loop, running, cancelled = asyncio.get_running_loop(), [], threading.Event()

        def execute_in_loop(changed: ToolCallRequest) -> Any:
            future: Future[Any] = asyncio.run_coroutine_threadsafe(execute(changed), loop)
            running.append(future)
            if cancelled.is_set():  # between the start of the call and the line above
                future.cancel()
            return future.result()

        # Not the loop's own pool: tools that wait for a thread of it would wait for the wrappers around them.
        with_context = functools.partial(contextvars.copy_context().run, wrap, request, execute_in_loop)
        pool = ThreadPoolExecutor(1)
        try:
            return await loop.run_in_executor(pool, with_context)
        except asyncio.CancelledError:
            cancelled.set()
            for future in running:
                future.cancel()
            raise
        finally:
            pool.shutdown(wait=False)

    return run


def _around(outer: up.ToolWrapper | None, inner: up.ToolWrapper | None) -> up.ToolWrapper | None:
    if outer is None or inner is None:
        return outer or inner
    return lambda request, execute: outer(request, lambda changed: inner(changed, execute))


def _around_async(outer: up.ToolWrapper | None, inner: up.ToolWrapper | None) -> up.ToolWrapper | None:
    if outer is None or inner is None:
        return outer or inner

    async def composed(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Any]) -> Any:
        return await outer(request, lambda changed: inner(changed, execute))

    return composed


def _wraps_calls(middleware: AgentMiddleware[Any, Any]) -> bool:
    kind = type(middleware)
    plain = kind.wrap_tool_call is AgentMiddleware.wrap_tool_call
    return not (plain and kind.awrap_tool_call is AgentMiddleware.awrap_tool_call)


# --- the node of an agent ---


def wrapper_names(middleware: Sequence[Any]) -> list[str]:
    """The wrappers that the middleware puts around each call, by the names that traces have."""
    return [f"{one.name}.wrap_tool_call" for one in middleware if _wraps_calls(one)]


def take_over(made: UpstreamToolNode, node: UpstreamToolNode, middleware: Sequence[Any]) -> None:
    """Make the tool node of create_agent another one, with the middleware's tools and wrappers around its own.

    It keeps the class, the error policy, the messages key and every overridden method. The wrappers of the
    approval guard go inside the node's own.

    Args:
        made: The node that create_agent made. The graph holds it, so that it is changed and not replaced.
        node: The node to become.
        middleware: The agent's middleware.
    """
    (wrap, awrap), (own, own_async) = up.tool_call_wrappers(made), up.tool_call_wrappers(node)
    guard = next((one for one in middleware if isinstance(one, ApprovalGuard)), None)
    if own is not None and own_async is None:
        own_async = in_thread(own)
    if guard is not None:
        own = own and _around(own, guard.wrap_tool_call)
        own_async = own_async and _around_async(own_async, guard.awrap_tool_call)
    up.become(made, node)
    up.set_wrappers(made, _around(wrap, own), _around_async(awrap, own_async))
    cast("Any", made).wrapper_names = [*wrapper_names(middleware), *getattr(node, "wrapper_names", ())]
