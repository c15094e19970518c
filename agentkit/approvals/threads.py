"""Loading an agent by name, opening a checkpointer, and finding the threads that wait."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from agentkit import hitl
from agentkit._loader import LoadError, load


class UsageError(Exception):
    """The command line names something that isn't there."""


def load_agent(target: str) -> Any:
    """Load `path/to/file.py:name` or `package.module:name`.

    Args:
        target: Where the agent is. It may be a compiled graph, or a function that returns one.

    Returns:
        The compiled graph.

    Raises:
        UsageError: If there is no such file, module or name.
    """
    try:
        found = load(target)
    except LoadError as error:
        raise UsageError(f"{error}.") from error
    if not hasattr(found, "get_state") and callable(found):
        try:
            found = found()
        except TypeError as error:
            raise UsageError(f"{target} can't be called to get a graph: {error}") from error
    if not hasattr(found, "get_state"):
        raise UsageError(f"{target} is no compiled graph, nor a function that returns one.")
    return found


@contextmanager
def opened(database: str | None, agent: Any) -> Iterator[Any]:
    """Give the agent the checkpointer to review.

    Args:
        database: A SQLite file, a PostgreSQL URL, or None for the agent's own checkpointer.
        agent: The compiled graph.

    Yields:
        The agent with that checkpointer.

    Raises:
        UsageError: If there is nothing to open.
    """
    if database is None:
        if not hasattr(agent.checkpointer, "list"):
            raise UsageError("the agent has no checkpointer of its own: say which threads with --db.")
        yield agent
    elif database.startswith(("postgres://", "postgresql://")):
        try:
            from langgraph.checkpoint.postgres import PostgresSaver
            from psycopg import OperationalError
        except ImportError as error:
            raise UsageError("PostgreSQL needs: pip install 'langgraph-agentkit[postgres]'") from error
        with ExitStack() as stack:
            try:
                saver = stack.enter_context(PostgresSaver.from_conn_string(database))
            except OperationalError as error:
                raise UsageError(f"PostgreSQL can't be opened: {error}") from error
            yield agent.copy({"checkpointer": saver})
    else:
        if not Path(database).is_file():
            raise UsageError(f"there is no database {database}.")
        from langgraph.checkpoint.sqlite import SqliteSaver

        with SqliteSaver.from_conn_string(database) as lite:
            try:
                lite.setup()
            except sqlite3.DatabaseError as error:
                raise UsageError(f"{database} is no SQLite database of threads: {error}.") from error
            yield agent.copy({"checkpointer": lite})


def waiting_threads(agent: Any) -> dict[str, list[hitl.PendingAction]]:
    """List the threads of the agent's checkpointer that wait for a person.

    Args:
        agent: The compiled graph.

    Returns:
        What waits, by thread id, the latest thread first.
    """
    # First the list as a whole: SQLite's saver is locked while it is read.
    ids = dict.fromkeys(found.config["configurable"]["thread_id"] for found in agent.checkpointer.list(None))
    threads = {thread: hitl.pending(agent, {"configurable": {"thread_id": thread}}) for thread in ids}
    return {thread: actions for thread, actions in threads.items() if actions}
