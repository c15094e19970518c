"""`agentkit threads move`: move the threads of a SQLite checkpointer."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver

from agentkit._loader import load_agent
from agentkit.threads import MoveReport, move


def main(argv: Sequence[str]) -> int:
    """Run `agentkit threads`.

    Args:
        argv: The arguments after `agentkit threads`.

    Returns:
        0, or 1 where a thread was refused or writing it failed, or 2 for a wrong command.
    """
    options = _parser().parse_args(argv)
    try:
        nodes = dict(_pair(text) for text in options.node)
        graph = load_agent(options.agent)
        with closing(_open(options.db, options.write)) as connection:
            reports = move(
                SqliteSaver(connection),
                graph,
                thread_ids=options.thread or None,
                nodes=nodes,
                drop=options.drop,
                write=options.write,
            )
    except sqlite3.Error as error:
        print(f"agentkit threads: {options.db}: {error}", file=sys.stderr)
        return 2
    except (ValueError, ImportError) as error:
        print(f"agentkit threads: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(report) for report in reports], indent=2))
    else:
        print("\n".join([*map(_line, reports), _closing(reports, options.write)]))
    return 1 if any(report.outcome in {"refused", "failed"} for report in reports) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="agentkit threads")
    command = parser.add_subparsers(required=True).add_parser(
        "move",
        help="let threads of the legacy agent go on with an agent whose nodes have other names",
        description="Without --write, only says what it would do. With it, the original of each moved thread is "
        "kept in the same file, under another id.",
        epilog="exit: 0 done, 1 a thread was refused or failed, 2 a wrong command line, 130 interrupted",
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


def _open(path: Path, write: bool) -> sqlite3.Connection:
    """Connect to a database, or to a copy of it where nothing is to be written: a saver changes what it opens."""
    if not path.is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    with path.open("rb") as file:
        header = file.read(20)
    # Of a file in WAL mode that nobody has open; opening it plainly would leave files beside it.
    alone = header[18:] == b"\2\2" and not Path(f"{path}-wal").exists()
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with closing(sqlite3.connect(address, uri=True)) as source:
        if not source.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").fetchone():
            raise ValueError(f"{str(path)!r} holds no threads: it has no table of checkpoints")
        if not write:
            copy = sqlite3.connect("", check_same_thread=False)  # a temporary database
            source.backup(copy)
            return copy
    return sqlite3.connect(path, check_same_thread=False)


def _line(report: MoveReport) -> str:
    way = f"{', '.join(report.waits_at) or 'finished'}"
    if report.outcome == "moved":
        way += f" -> {', '.join(report.goes_to) or 'finished'}"
    kept = f" (original kept as {report.copy_id})" if report.copy_id else ""
    why = f": {report.reason}" if report.reason else ""
    return f"{report.outcome:<10}{report.thread_id}  [{way}]{why}{kept}"


def _closing(reports: Sequence[MoveReport], write: bool) -> str:
    counts = {outcome: sum(r.outcome == outcome for r in reports) for outcome in ("moved", "unchanged", "refused")}
    counts |= {"failed": failed} if (failed := sum(r.outcome == "failed" for r in reports)) else {}
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return f"{said}." if write else f"{said}. Nothing was written; --write does it."
