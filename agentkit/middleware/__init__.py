"""Middleware for any agent that `create_agent` builds, agentkit's or langchain's own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentkit import _checked as _checked

if TYPE_CHECKING:
    from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware
    from agentkit.middleware.patch_tool_calls import PatchToolCallsMiddleware
    from agentkit.middleware.validation import ToolCallsInvalidError, ValidationMiddleware

__all__ = [
    "HumanInTheLoopMiddleware",
    "PatchToolCallsMiddleware",
    "ToolCallsInvalidError",
    "ValidationMiddleware",
]

_HOMES = {
    "HumanInTheLoopMiddleware": "human_in_the_loop",
    "PatchToolCallsMiddleware": "patch_tool_calls",
    "ToolCallsInvalidError": "validation",
    "ValidationMiddleware": "validation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
