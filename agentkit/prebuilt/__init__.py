"""The names of `langgraph.prebuilt`, with the behaviour they had, on today's stack.

Change `from langgraph.prebuilt import ...` to `from agentkit.prebuilt import ...`; nothing else changes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentkit import _checked as _checked

# isort: split

from langgraph import prebuilt as _upstream

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

_HOMES = {move.name: move.module for move in MOVES if move.name in __all__}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
