"""The human-in-the-loop types at their legacy address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentkit._deprecation import called_by_import_system, warn_move
from agentkit.hitl import _types as _home

if TYPE_CHECKING:
    from agentkit.hitl._types import (
        ActionRequest,
        HumanInterrupt,
        HumanInterruptConfig,
        HumanResponse,
    )

__all__ = ["ActionRequest", "HumanInterrupt", "HumanInterruptConfig", "HumanResponse"]


def __getattr__(name: str) -> Any:
    if name not in _home.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not called_by_import_system():
        warn_move(name)
    return getattr(_home, name)
