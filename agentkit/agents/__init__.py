"""`langchain.agents` with what legacy users miss there, and the types its warnings promise."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentkit import _checked as _checked

if TYPE_CHECKING:
    from langchain.agents import AgentState

    from agentkit.agents.deep import create_deep_agent
    from agentkit.agents.factory import create_agent

__all__ = ["AgentState", "create_agent", "create_deep_agent"]

_HOMES = {
    "AgentState": "langchain.agents",
    "create_agent": "agentkit.agents.factory",
    "create_deep_agent": "agentkit.agents.deep",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
