"""What `hitl.waiting` relies on in the tables of upstream's savers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from langgraph.checkpoint.base import WRITES_IDX_MAP
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from agentkit import _upstream as up

CHECKPOINTS = ["thread_id", "checkpoint_ns", "checkpoint_id"]
WRITES = [*CHECKPOINTS, "task_id", "idx"]


def test_sqlite_keys_its_tables_by_thread_namespace_and_checkpoint() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        SqliteSaver(connection).setup()
        for table, key in (("checkpoints", CHECKPOINTS), ("writes", WRITES)):
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            assert [row[1] for row in sorted(columns, key=lambda row: row[5]) if row[5]] == key
        assert "channel" in {row[1] for row in columns}


def test_postgresql_keys_its_tables_by_thread_namespace_and_checkpoint(postgres_url: str) -> None:
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    with PostgresSaver.from_conn_string(postgres_url) as saver:
        saver.setup()
        assert up.saver_tables(saver) is not None
    query = (
        "SELECT a.attname FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k(number, place), pg_attribute a "
        "WHERE i.indrelid = %s::regclass AND i.indisprimary AND a.attrelid = i.indrelid AND a.attnum = k.number "
        "ORDER BY k.place"
    )
    with psycopg.connect(postgres_url) as connection:
        for table, key in (("checkpoints", CHECKPOINTS), ("checkpoint_writes", WRITES)):
            assert [row[0] for row in connection.execute(query, (table,))] == key
    assert hasattr(PostgresSaver, "_cursor")
    assert hasattr(AsyncPostgresSaver, "_cursor")


def test_what_marks_an_unfinished_task_has_a_negative_index() -> None:
    assert up.INTERRUPT in up.TASK_MARKS
    assert all(index < 0 for index in WRITES_IDX_MAP.values())


def test_only_savers_whose_tables_are_known_are_queried() -> None:
    class Mine(SqliteSaver):
        pass

    with closing(sqlite3.connect(":memory:")) as connection:
        assert up.saver_tables(Mine(connection)) is not None
    assert up.saver_tables(object()) is None
    shallow: Any = type("ShallowPostgresSaver", (), {})
    assert up.saver_tables(shallow()) is None
    assert AsyncSqliteSaver.__module__ == "langgraph.checkpoint.sqlite.aio"
