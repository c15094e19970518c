"""What the whole suite shares."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from . import postgres

# How many examples a generated test makes: `pytest --hypothesis-profile=ci`. Tests that want more or fewer than
# others take a multiple of it, and so do loops that count for themselves (kills, pairs of rules and paths).
for name, examples in {"dev": 10, "ci": 128, "long": 2560}.items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile("dev")


@pytest.fixture
def open_sqlite(tmp_path: Path) -> Iterator[Callable[[], SqliteSaver]]:
    """Open the test's SQLite file; each call is a new connection, as after a restart."""
    connections: list[sqlite3.Connection] = []

    def open_saver() -> SqliteSaver:
        connections.append(sqlite3.connect(tmp_path / "threads.sqlite", check_same_thread=False))
        return SqliteSaver(connections[-1])

    yield open_saver
    for connection in connections:
        connection.close()


@pytest.fixture(params=["memory", "sqlite"])
def reopen(request: pytest.FixtureRequest, open_sqlite: Callable[[], SqliteSaver]) -> Callable[[], Any]:
    """A saver for the same threads at each call: the one in memory, or the file reopened."""
    if request.param == "sqlite":
        return open_sqlite
    saver = InMemorySaver()
    return lambda: saver


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server of this run's own."""
    if postgres.find_binaries() is None:
        pytest.skip("no PostgreSQL is installed: apt-get install postgresql")
    with postgres.server() as url:
        yield url


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hold that each use of the `slow` marker says why."""
    bare = [item.nodeid for item in items for mark in item.iter_markers("slow") if not mark.kwargs.get("reason")]
    if bare:
        raise pytest.UsageError(f"@pytest.mark.slow needs a reason=: {', '.join(bare)}")
