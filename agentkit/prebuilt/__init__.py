"""The names of `langgraph.prebuilt`, with the behaviour they had, on today's stack.

Change `from langgraph.prebuilt import ...` to `from agentkit.prebuilt import ...`; nothing else changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentkit import _checked as _checked

# isort: split

from langgraph import prebuilt as _upstream

from agentkit._lazy import lazy
from agentkit._moves import MOVES

if TYPE_CHECKING:
    from langgraph.prebuilt import ToolCallTransformer

    from agentkit.prebuilt.chat_agent_executor import create_react_agent
    from agentkit.prebuilt.tool_node import (
        InjectedState,
        InjectedStore,
        ToolNode,
        ToolRuntime,
        tools_condition,
    )
    from agentkit.prebuilt.tool_validator import ValidationNode

__all__ = [
    "InjectedState",
    "InjectedStore",
    "ToolCallTransformer",
    "ToolNode",
    "ToolRuntime",
    "ValidationNode",
    "create_react_agent",
    "tools_condition",
]

if not hasattr(_upstream, "ToolCallTransformer"):  # langgraph-prebuilt before 1.1.0
    __all__.remove("ToolCallTransformer")

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy(
        __name__, {move.name: f"{__name__}.{move.module}" for move in MOVES if move.name in __all__}
    )
