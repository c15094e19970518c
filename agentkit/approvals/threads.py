"""Opening the checkpointer to review. A database that keeps no threads is left as it is."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any


def with_saver(agent: Any, database: str | None, stack: ExitStack) -> Any:
    """Give an agent the checkpointer to review: a SQLite file, a PostgreSQL URL, or None for its own.

    Raises:
        ValueError: If there is nothing to open.
    """
    if database is None:
        if not hasattr(agent.checkpointer, "list"):
            raise ValueError("the agent has no checkpointer of its own: say which threads with --db.")
        return agent
    is_postgres = database.startswith(("postgres://", "postgresql://"))
    saver = (_open_postgres if is_postgres else _open_sqlite)(database, stack)
    return agent.copy({"checkpointer": saver})


def _open_postgres(url: str, stack: ExitStack) -> Any:
    try:
        from langgraph.checkpoint.postgres import PostgresSaver
        from psycopg import Error, errors
    except ImportError as error:
        raise ValueError("PostgreSQL needs: pip install 'langgraph-agentkit[postgres]'") from error
    try:
        saver = stack.enter_context(PostgresSaver.from_conn_string(url))
        saver.get_tuple({"configurable": {"thread_id": ""}})
    except errors.UndefinedTable as error:
        raise ValueError("this PostgreSQL database keeps no threads: PostgresSaver.setup() never ran in it.") from error
    except Error as error:
        raise ValueError(f"PostgreSQL can't be opened: {error}") from error
    return saver


def _open_sqlite(path: str, stack: ExitStack) -> Any:
    from langgraph.checkpoint.sqlite import SqliteSaver

    if not Path(path).is_file():
        raise ValueError(f"there is no database {path}.")
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("SELECT 1 FROM checkpoints LIMIT 1")
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{path} is no SQLite database of threads: {error}.") from error
    return stack.enter_context(SqliteSaver.from_conn_string(path))
