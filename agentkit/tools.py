"""`langchain.tools`, with the `ToolNode` and `tools_condition` that its documentation imports from there."""

from agentkit import _checked as _checked

# isort: split
from langchain.tools import (
    BaseTool,
    InjectedState,
    InjectedStore,
    InjectedToolArg,
    InjectedToolCallId,
    ToolException,
    ToolRuntime,
    tool,
)

from agentkit.prebuilt.tool_node import ToolNode, tools_condition

__all__ = [
    "BaseTool",
    "InjectedState",
    "InjectedStore",
    "InjectedToolArg",
    "InjectedToolCallId",
    "ToolException",
    "ToolNode",
    "ToolRuntime",
    "tool",
    "tools_condition",
]
