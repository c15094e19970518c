"""The table of stored threads is red where agentkit loses one."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parents[2] / ".ci" / "tools"


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> Any:
    if not TOOLS.exists() or sys.version_info < (3, 11):
        pytest.skip("the runners need the checkout and Python 3.11")
    monkeypatch.syspath_prepend(TOOLS)
    return import_module("threads_table")._lost


@pytest.mark.parametrize(
    ("mode", "outcome", "is_lost"),
    [
        ("shim", "ok", False),
        ("shim", "never worked", False),
        ("shim", "TypeError (upstream's own agent too)", False),
        ("shim", "ends", True),
        ("shim", "refused", True),
        ("moved", "ok", False),
        ("moved", "refused", False),
        ("moved", "TypeError (upstream's own agent too)", False),
        ("moved", "TypeError", True),
        ("moved", "failed", True),
        ("moved", "stuck", True),
        ("bare", "stuck", False),
    ],
)
def test_a_thread_is_lost_unless_it_goes_on_or_is_refused(lost: Any, mode: str, outcome: str, is_lost: bool) -> None:
    results: dict[str, Any] = {"shim": {}, "moved": {}, "bare": {}}
    results[mode] = {"latest": {"0.2.0": {"waits": outcome}}}
    assert list(lost(results)) == ([f"{mode} on latest: 'waits' of 0.2.0: {outcome}"] if is_lost else [])
