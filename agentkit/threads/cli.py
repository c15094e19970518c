"""`agentkit threads move`: move the threads of a SQLite checkpointer."""

from __future__ import annotations

import argparse
import importlib
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph

from agentkit.threads import MoveReport, move


def main(argv: Sequence[str]) -> int:
    """Run `agentkit threads`.

    Args:
        argv: The arguments after `agentkit threads`.

    Returns:
        0, or 1 where a thread was refused, or 2 for a wrong command.
    """
    options = _parser().parse_args(argv)
    try:
        nodes = dict(_pair(text) for text in options.node)
        if not options.db.is_file():
            raise ValueError(f"there is no file {str(options.db)!r}")
        graph = _load(options.agent)
        with closing(sqlite3.connect(options.db, check_same_thread=False)) as connection:
            reports = move(
                SqliteSaver(connection),
                graph,
                thread_ids=options.thread or None,
                nodes=nodes,
                drop=options.drop,
                write=options.write,
            )
    except (ValueError, ImportError, AttributeError) as error:
        print(f"agentkit threads: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(report) for report in reports], indent=2))
    else:
        print("\n".join([*map(_line, reports), _closing(reports, options.write)]))
    return 1 if any(report.outcome == "refused" for report in reports) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="agentkit threads")
    command = parser.add_subparsers(required=True).add_parser(
        "move",
        help="let threads of the legacy agent go on with an agent whose nodes have other names",
        description="Without --write, only says what it would do. With it, the original of each moved thread is "
        "kept in the same file, under another id.",
    )
    command.add_argument("agent", help="the agent to go on with, as file.py:name or module:name")
    command.add_argument("--db", type=Path, required=True, help="the SQLite file of the checkpointer")
    command.add_argument("--thread", action="append", default=[], help="only this thread (may be repeated)")
    command.add_argument("--node", action="append", default=[], metavar="OLD=NEW", help="rename this node too")
    command.add_argument("--drop", action="append", default=[], metavar="KEY", help="leave this state key out")
    command.add_argument("--write", action="store_true", help="do it")
    command.add_argument("--json", action="store_true", help="print a JSON list")
    return parser


def _pair(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not (old and equals and new):
        raise ValueError(f"--node takes OLD=NEW, not {text!r}")
    return old, new


def _load(reference: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Import an agent from `file.py:name` or `module:name`; a function without arguments is called."""
    where, _, name = reference.rpartition(":")
    if not where:
        raise ValueError(f"the agent is written file.py:name or module:name, not {reference!r}")
    if where.endswith(".py"):
        sys.path.insert(0, str(Path(where).resolve().parent))
        where = Path(where).stem
    else:
        sys.path.insert(0, str(Path.cwd()))
    found = getattr(importlib.import_module(where), name)
    graph = found if isinstance(found, CompiledStateGraph) else found()
    if not isinstance(graph, CompiledStateGraph):
        raise ValueError(f"{reference} is a {type(graph).__name__}, not an agent")
    return graph


def _line(report: MoveReport) -> str:
    way = f"{', '.join(report.waits_at) or 'finished'}"
    if report.outcome == "moved":
        way += f" -> {', '.join(report.goes_to) or 'finished'}"
    kept = f" (original kept as {report.copy_id})" if report.copy_id else ""
    why = f": {report.reason}" if report.reason else ""
    return f"{report.outcome:<10}{report.thread_id}  [{way}]{why}{kept}"


def _closing(reports: Sequence[MoveReport], write: bool) -> str:
    counts = {outcome: sum(r.outcome == outcome for r in reports) for outcome in ("moved", "unchanged", "refused")}
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return f"{said}." if write else f"{said}. Nothing was written; --write does it."
