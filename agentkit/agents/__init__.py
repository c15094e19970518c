"""`langchain.agents` with what legacy users miss there, and the types its warnings promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentkit import _checked as _checked
from agentkit._lazy import lazy

if TYPE_CHECKING:
    from langchain.agents import AgentState

    from agentkit.agents.deep import create_deep_agent
    from agentkit.agents.factory import create_agent
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "AgentState": "langchain.agents",
            "create_agent": "agentkit.agents.factory",
            "create_deep_agent": "agentkit.agents.deep",
        },
    )

__all__ = ["AgentState", "create_agent", "create_deep_agent"]
