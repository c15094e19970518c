"""Run tools in a graph: upstream's ToolNode with its reported defects mended, and what belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Literal, cast

from langchain_core.messages import AnyMessage, ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.prebuilt.tool_node import (
    INVALID_TOOL_NAME_ERROR_TEMPLATE,
    TOOL_CALL_ERROR_TEMPLATE,
    TOOL_EXECUTION_ERROR_TEMPLATE,
    TOOL_INVOCATION_ERROR_TEMPLATE,
    AsyncToolCallWrapper,
    InjectedState,
    InjectedStore,
    ToolCallRequest,
    ToolCallWithContext,
    ToolCallWrapper,
    ToolInvocationError,
    ToolRuntime,
    msg_content_output,
)
from langgraph.prebuilt.tool_node import ToolNode as UpstreamToolNode
from pydantic import BaseModel

from agentkit import _upstream as up
from agentkit.prebuilt._execution import PreparedTool, in_thread
from agentkit.prebuilt._injection import injected_parameters
from agentkit.prebuilt._parent_commands import is_for_parent, joined, joined_with_siblings
from agentkit.prebuilt._results import check_wrapped, checked_result
from agentkit.prebuilt._tools import check_names, readable_tool

__all__ = [
    "INVALID_TOOL_NAME_ERROR_TEMPLATE",
    "TOOL_CALL_ERROR_TEMPLATE",
    "TOOL_EXECUTION_ERROR_TEMPLATE",
    "TOOL_INVOCATION_ERROR_TEMPLATE",
    "AsyncToolCallWrapper",
    "InjectedState",
    "InjectedStore",
    "ToolCallRequest",
    "ToolCallWithContext",
    "ToolCallWrapper",
    "ToolInvocationError",
    "ToolNode",
    "ToolRuntime",
    "msg_content_output",
    "tools_condition",
]


class ToolNode(up.HookedToolNode):
    """A graph node that runs the tools which the last AI message calls.

    It is upstream's `ToolNode` (an instance of this class is an instance of that one), with the same
    arguments and results, and these differences: it can be invoked in a plain script, without a graph
    around it; when a validator of the arguments as a whole fails, the model is told what it said; and

    | a parameter annotated with | is given | in |
    |---|---|---|
    | `ToolRuntime` | the runtime | any tool: a function, a `BaseTool` with `_run` / `_arun`, a partial, |
    | `InjectedState` | the state, or one field | a callable object; with or without `args_schema`; |
    | `InjectedStore` | the store | under any name |
    | `InjectedToolCallId` | the id of the call | |
    | anything else, whatever its name | what the model sends | |

    | what is returned | becomes |
    |---|---|
    | a `ToolMessage`, or a list of messages and commands that answers the call once | itself |
    | a `Command` with a dict, (key, value) pairs, or messages where a list was given | itself, dicts as messages |
    | `Command`s for the parent graph, of one task or of parallel ones | one with all updates |
    | anything else a tool returns | the content of a `ToolMessage` |
    | anything else a wrapper returns | `TypeError` |

    A sync wrapper runs in a thread where the node is awaited, and what it wraps in the event loop.

    Args:
        tools: The tools: `BaseTool` instances or plain functions.
        name: The node's name. Defaults to `"tools"`.
        tags: Tags for traces. Defaults to None.
        handle_tool_errors: What becomes of an exception. `True`: any becomes an error `ToolMessage`;
            a string: any becomes that text; an exception type or a tuple of them: only those; a
            function: its annotation says which, and its result is the text; `False`: none. By default
            only wrong arguments become a message and what a tool raises is raised. Versions of
            langgraph-prebuilt before 1.0.2 behaved like `True`.
        messages_key: The state key that holds the messages. Defaults to `"messages"`.
        wrap_tool_call: A function of a request and the next handler, run around each call.
        awrap_tool_call: Its async form. Defaults to `wrap_tool_call`.

    Example:
        ```python
        from agentkit.tools import ToolNode

        def add(a: int, b: int) -> int:
            "Add two numbers."
            return a + b

        node = ToolNode([add])
        node.invoke([{"name": "add", "args": {"a": 1, "b": 2}, "id": "1", "type": "tool_call"}])
        # {'messages': [ToolMessage(content='3', name='add', tool_call_id='1')]}
        ```
    """

    # `get_graph().to_json()` names the class of a node by its module, and has to name upstream's.
    __module__ = UpstreamToolNode.__module__

    def __init__(
        self,
        tools: Sequence[BaseTool | Callable[..., Any]],
        *,
        name: str = "tools",
        tags: list[str] | None = None,
        handle_tool_errors: bool
        | str
        | Callable[..., str]
        | type[Exception]
        | tuple[type[Exception], ...] = up.DEFAULT_HANDLE_TOOL_ERRORS,
        messages_key: str = "messages",
        wrap_tool_call: ToolCallWrapper | None = None,
        awrap_tool_call: AsyncToolCallWrapper | None = None,
    ) -> None:
        wrapper = wrap_tool_call or awrap_tool_call
        if wrap_tool_call is not None and awrap_tool_call is None:
            awrap_tool_call = in_thread(wrap_tool_call)
        super().__init__(
            [readable_tool(tool) for tool in tools],
            name=name,
            tags=tags,
            handle_tool_errors=handle_tool_errors,
            messages_key=messages_key,
            wrap_tool_call=wrap_tool_call,
            awrap_tool_call=awrap_tool_call,
        )
        check_names(tools)
        self.given_tools: list[Any] = list(tools)
        self.wrapper_names: Sequence[str] = _names(wrapper)
        self.read_tools()

    def read_tools(self) -> None:
        """Tell the node what is injected into its tools."""
        for tool in self.tools_by_name.values():
            sync, _ = injected_parameters(tool)
            up.set_injected(self, tool.name, sync.state, sync.store, sync.runtime, sync.hidden)

    def inject(self, call: ToolCall, runtime: Any, tool: Any) -> ToolCall:
        """Fill in what the annotations of the tool ask for."""
        is_async = isinstance(tool, PreparedTool) and tool.is_async
        ways = injected_parameters(tool.tool if isinstance(tool, PreparedTool) else tool)
        return ways[is_async].fill(call, runtime, up.messages_key(self))

    def prepare(self, request: ToolCallRequest, *, is_async: bool) -> ToolCallRequest:
        """Have errors explained."""
        if request.tool is None:
            return request
        return request.override(tool=cast("BaseTool", PreparedTool(request.tool, is_async=is_async)))

    def check_result(self, result: Any, call: ToolCall, input_type: str) -> Any:
        """Check what a tool returned."""
        return checked_result(result, call, up.messages_key(self), input_type)

    def check_wrapped(self, result: Any, call: ToolCall) -> None:
        """Check what came out of the wrappers."""
        check_wrapped(result, call, self.wrapper_names)

    def join(self, outputs: list[Any], config: RunnableConfig | None) -> list[Any]:
        """Join what goes to the parent graph into one command."""
        commands = [output for output in outputs if is_for_parent(output)]
        if not commands:
            return outputs
        one = joined(commands) if config is None else joined_with_siblings(commands[0], config)
        return [*(output for output in outputs if not is_for_parent(output)), one]

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the tools, inside a graph or without one.

        Args:
            input: A state with messages, a list of messages, or a list of tool calls.
            config: The run's config. Defaults to None.
            **kwargs: Passed on.

        Returns:
            The tool messages (in a dict where a dict or tool calls were given), or a list with the
            `Command`s that tools returned.
        """
        return super().invoke(input, up.with_runtime(config), **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the tools, as `invoke` does."""
        return await super().ainvoke(input, up.with_runtime(config), **kwargs)


def mend(node: Any, wrapper_names: Sequence[str] = ()) -> Any:
    """Make an upstream tool node agentkit's, in place: the two differ in methods only."""
    mended = cast("Any", node)
    mended.__class__ = ToolNode
    up.rebind(mended)
    wrap, awrap = up.tool_call_wrappers(mended)
    mended.wrapper_names = wrapper_names or _names(wrap)
    if wrap is not None and awrap is None:
        up.set_wrappers(mended, wrap, in_thread(wrap))
    mended.read_tools()
    return mended


def given_tools(tools: Any) -> list[Any]:
    """The tools of an agent as they were given, two of one name among them: a list, a `ToolNode`, or None."""
    if not isinstance(tools, UpstreamToolNode):
        return list(tools or ())
    return list(getattr(tools, "given_tools", tools.tools_by_name.values()))


def own_tool_node(node: UpstreamToolNode) -> UpstreamToolNode:
    """Take a tool node for an agent: agentkit's in the place of upstream's; a user's own class stays."""
    return mend(copy(node)) if type(node) is UpstreamToolNode else node


def _names(wrap: Any) -> list[str]:
    return [] if wrap is None else [getattr(wrap, "__qualname__", repr(wrap))]


def tools_condition(
    state: list[AnyMessage] | dict[str, Any] | BaseModel, messages_key: str = "messages"
) -> Literal["tools", "__end__"]:
    """Choose the next node: `"tools"` where the last message calls tools, else the end.

    Args:
        state: A list of messages, or a state that holds one.
        messages_key: The key or attribute with the messages. Defaults to `"messages"`.

    Returns:
        `"tools"` or `"__end__"`; a path map must have both.

    Raises:
        ValueError: If there is no message to look at. Upstream raises a bare IndexError for an empty list.

    Example:
        ```python
        graph.add_conditional_edges("llm", tools_condition)
        ```
    """
    if isinstance(state, list):
        messages: Any = state
    elif isinstance(state, dict):
        messages = state.get(messages_key)
    else:
        messages = getattr(state, messages_key, None)
    if not messages:
        raise ValueError(
            f"No messages found in input state to tool_edge: {state!r}. tools_condition looks at the last message of "
            f"a list, or of the state's {messages_key!r}; give another key with messages_key=."
        )
    return "tools" if getattr(messages[-1], "tool_calls", None) else "__end__"


def __getattr__(name: str) -> Any:
    # Dependents import underscored helpers of this module; they are upstream's own.
    private = up.private_tool_node_names() if name.startswith("_") else {}
    if name in private:
        return private[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
