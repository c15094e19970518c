"""Run tools in a graph: upstream's ToolNode with two defects mended, and what belongs to it."""

from __future__ import annotations

from typing import Any, Literal

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
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

from agentkit._upstream import private_tool_node_names, with_runtime
from agentkit.prebuilt._execution import ExplainingToolNode

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


class ToolNode(ExplainingToolNode):
    """A graph node that runs the tools which the last AI message calls.

    It is upstream's `ToolNode` (an instance of this class is an instance of that one), with the same
    arguments and results, and two differences: it can be invoked in a plain script, without a graph
    around it, and when a validator of the arguments as a whole fails, the model is told what it said.

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
        return super().invoke(input, with_runtime(config), **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the tools, as `invoke` does."""
        return await super().ainvoke(input, with_runtime(config), **kwargs)


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
    private = private_tool_node_names() if name.startswith("_") else {}
    if name in private:
        return private[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
