"""The command line of the terminal reviewer."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from rich.console import Console

from agentkit import hitl
from agentkit._loader import load_agent
from agentkit.approvals.review import Review, address, config_of, messages_of, report
from agentkit.approvals.terminal import escape, show
from agentkit.approvals.threads import with_saver

_EXIT_CODES = """exit codes:
  0  everything that was asked for was done, or you quit
  1  an answer was refused, a run failed, or the review was broken off
  2  the command line names something that isn't there
"""


def run(argv: Sequence[str] | None = None) -> int:
    """Parse the arguments and review."""
    options = _parser().parse_args(argv)
    with ExitStack() as stack:
        try:
            agent = with_saver(load_agent(options.agent), options.db, stack)
        except ValueError as error:
            return _fail(error, 2)
        try:
            decides = options.approve is not None or options.reject is not None
            return _decide(agent, options, Console()) if decides else _review(agent, options, Console())
        except hitl.AnswerError as error:
            return _fail(error, 1)


def _fail(reason: object, code: int) -> int:
    print(f"agentkit approvals: {escape(reason)}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "agentkit approvals",
        description="Review the calls that wait for a person.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("agent", help="where the agent is: app.py:agent or package.module:agent")
    parser.add_argument("--db", help="SQLite file or PostgreSQL URL (default: the agent's own checkpointer)")
    parser.add_argument("--thread", help="review this thread only")
    parser.add_argument("--list", action="store_true", help="show what waits and ask nothing")
    parser.add_argument("--json", action="store_true", help="print what waits, or what happened, as JSON")
    both = parser.add_mutually_exclusive_group()
    both.add_argument("--approve", metavar="THREAD", help="approve everything that waits on a thread")
    both.add_argument("--reject", metavar="THREAD", help="reject everything that waits on a thread")
    parser.add_argument("--message", help="with --reject: what the model is told")
    parser.add_argument("--again", action="store_true", help="decide also about calls that may have run already")
    parser.add_argument("--by", help="who decides, for the thread's history")
    parser.add_argument("--note", help="a note for the thread's history")
    return parser


def _review(agent: Any, options: argparse.Namespace, console: Console) -> int:
    threads = hitl.waiting(agent.checkpointer, agent, thread=options.thread)
    for entry in threads:
        if entry.problem:
            _fail(f"skipped thread {entry.thread_id}: {entry.problem}", 0)
    items = [(entry.thread_id, action) for entry in threads if not entry.problem for action in entry.actions]
    if options.json:
        found: dict[str, list[Any]] = {}
        for thread, action in items:
            found.setdefault(thread, []).append(_plain(action))
        print(json.dumps(found, default=str))
    elif not items:
        console.print("Nothing waits.")
    elif options.list:
        for number, (thread, action) in enumerate(items, 1):
            show(console, number, len(items), thread, action)
    else:
        return Review(agent, items, console, by=options.by, note=options.note).run()
    return 0


def _plain(action: hitl.PendingAction) -> dict[str, Any]:
    return {key: value for key, value in dataclasses.asdict(action).items() if key not in ("value", "started_run")}


def _decide(agent: Any, options: argparse.Namespace, console: Console) -> int:
    """Give everything that waits on a thread the same decision."""
    thread = options.reject if options.approve is None else options.approve
    decision: dict[str, Any] = {"type": "reject" if options.approve is None else "approve"}
    decision |= {"message": options.message} if options.message and options.approve is None else {}
    decision |= {"again": True} if options.again else {}
    config = config_of(thread)
    actions = hitl.pending(agent, config)
    for action in actions:
        if action.tool is None:
            raise hitl.AnswerError(f"{action.description!r} asks for more than a decision; answer it by hand.")
        if action.may_have_run and not options.again:
            raise hitl.AnswerError(f"{action.may_have_run} Say --again to decide about it. Nothing was run.")
    before = len(messages_of(agent.get_state(config)))
    hitl.resume(agent, config, address(actions, [decision] * len(actions)), by=options.by, note=options.note)
    left = hitl.pending(agent, config)
    if options.json:
        said = messages_of(agent.get_state(config))[before:]
        messages = [{"type": m.type, "content": m.content, "name": m.name} for m in said]
        print(json.dumps({"messages": messages, "pending": [_plain(action) for action in left]}, default=str))
        return 0
    report(agent, thread, before, console)
    if left:
        console.print(f"{len(left)} more to review on this thread.")
    return 0
