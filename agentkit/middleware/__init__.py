"""Middleware for any agent that `create_agent` builds, agentkit's or langchain's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentkit import _checked as _checked
from agentkit._lazy import lazy

if TYPE_CHECKING:
    from agentkit.middleware._policy import InterruptOnConfig
    from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware
    from agentkit.middleware.patch_tool_calls import PatchToolCallsMiddleware
    from agentkit.middleware.validation import ToolCallsInvalidError, ValidationMiddleware
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "InterruptOnConfig": "agentkit.middleware._policy",
            "HumanInTheLoopMiddleware": "agentkit.middleware.human_in_the_loop",
            "PatchToolCallsMiddleware": "agentkit.middleware.patch_tool_calls",
            "ToolCallsInvalidError": "agentkit.middleware.validation",
            "ValidationMiddleware": "agentkit.middleware.validation",
        },
    )

__all__ = [
    "HumanInTheLoopMiddleware",
    "InterruptOnConfig",
    "PatchToolCallsMiddleware",
    "ToolCallsInvalidError",
    "ValidationMiddleware",
]
