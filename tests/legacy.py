"""Upstream's own legacy agent, for parity, as long as the installed langgraph has it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

try:
    from langgraph.prebuilt import create_react_agent as _upstream
except ImportError:  # langgraph 2.0
    _upstream = None

needs_upstream = pytest.mark.skipif(
    _upstream is None, reason="this langgraph no longer has the legacy agent to compare with"
)


def upstream_react_agent(*args: Any, **kwargs: Any) -> Any:
    """Build upstream's legacy agent without its deprecation warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return _upstream(*args, **kwargs)
