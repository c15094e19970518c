"""Upstream's own legacy agent, for parity, as long as the installed langgraph has it."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import pytest

# Looked up at each call: a module that held the name would keep it across `agentkit.install()`.
_HOME = "langgraph.prebuilt.chat_agent_executor"
needs_upstream = pytest.mark.skipif(
    importlib.util.find_spec(_HOME) is None, reason="this langgraph has no legacy agent left to compare with"
)


def upstream_react_agent(*args: Any, **kwargs: Any) -> Any:
    """Build upstream's legacy agent without its deprecation warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(_HOME).create_react_agent(*args, **kwargs)
