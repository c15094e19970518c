"""The terminal reviewer."""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.prompt import Prompt
from rich.syntax import Syntax
from rich.text import Text

from agentkit import hitl
from agentkit.approvals.threads import UsageError, load_agent, opened, waiting_threads

_FORM_FIELDS = ("interrupt_id", "tool", "args", "tool_call_id", "allowed_decisions", "description", "where")


def run(argv: Sequence[str] | None = None) -> int:
    """Parse the arguments and review.

    Args:
        argv: The arguments after the command's name.

    Returns:
        The exit code.
    """
    options = _parser().parse_args(argv)
    console = Console()
    try:
        with opened(options.db, load_agent(options.agent)) as agent:
            if options.approve:
                return _approve(agent, options.approve, options.json, console)
            threads = waiting_threads(agent)
            if options.thread:
                threads = {key: found for key, found in threads.items() if key == options.thread}
            if options.json:
                print(json.dumps({key: [_plain(a) for a in found] for key, found in threads.items()}, default=str))
                return 0
            return _review(agent, threads, options.list, console)
    except UsageError as error:
        print(f"agentkit approvals: {error}", file=sys.stderr)
        return 2
    except hitl.AnswerError as error:
        print(f"agentkit approvals: {error}", file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print("agentkit approvals: stopped; what was not answered still waits.", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "agentkit approvals",
        description="Review the threads that wait for a person.",
        epilog="exit: 0 done, 1 an answer was refused or the review was stopped, 2 a wrong command line",
    )
    parser.add_argument("agent", help="where the agent is: app.py:agent or package.module:agent")
    parser.add_argument("--db", help="SQLite file or PostgreSQL URL (default: the agent's own checkpointer)")
    parser.add_argument("--thread", help="review this thread only")
    parser.add_argument("--list", action="store_true", help="show what waits and ask nothing")
    parser.add_argument("--json", action="store_true", help="print what waits, or what happened, as JSON")
    parser.add_argument("--approve", metavar="THREAD", help="approve everything that waits on a thread")
    return parser


def _plain(action: hitl.PendingAction) -> dict[str, Any]:
    return {key: value for key, value in dataclasses.asdict(action).items() if key in _FORM_FIELDS}


def _approve(agent: Any, thread: str, as_json: bool, console: Console) -> int:
    config: Any = {"configurable": {"thread_id": thread}}
    answers: dict[str, Any] = {}
    for action in hitl.pending(agent, config):
        if action.tool is None:
            raise hitl.AnswerError(f"{action.description!r} asks for more than an approval; answer it by hand.")
        answers.setdefault(action.interrupt_id, []).append({"type": "approve"})
    before = _messages(agent, config)
    hitl.resume(agent, config, answers)
    _report(agent, config, before, as_json, console)
    return 0


def _review(agent: Any, threads: Mapping[str, list[hitl.PendingAction]], only_list: bool, console: Console) -> int:
    if not threads:
        console.print("Nothing waits.")
        return 0
    for thread, actions in threads.items():
        config: Any = {"configurable": {"thread_id": thread}}
        answers: dict[str, Any] = {}
        for action in actions:
            _show(thread, action, console)
            if not only_list:
                answer = _ask(action, console)
                if action.tool is None:
                    answers[action.interrupt_id] = answer
                else:
                    answers.setdefault(action.interrupt_id, []).append(answer)
        if answers:
            before = _messages(agent, config)
            hitl.resume(agent, config, answers)
            _report(agent, config, before, False, console)
    return 0


def _show(thread: str, action: hitl.PendingAction, console: Console) -> None:
    where = " > ".join((thread, *action.where))
    title = Text(f"{where}: {action.tool or 'a question'}")
    body: Any = Syntax(json.dumps(action.args, indent=2, default=str, ensure_ascii=False), "json", word_wrap=True)
    console.print(Panel(body if action.tool else Text(action.description), title=title))
    if action.tool:
        console.print(Text(action.description), style="dim")


def _ask(action: hitl.PendingAction, console: Console) -> Any:
    if action.tool is None:
        return _json_or_text(Prompt.ask("answer (JSON or text)", console=console))
    kind = Prompt.ask("decision", choices=list(action.allowed_decisions), console=console)
    if kind == "reject":
        reason = Prompt.ask("reason", default="", console=console)
        return {"type": "reject", "message": reason} if reason else {"type": "reject"}
    if kind == "respond":
        return {"type": "respond", "message": Prompt.ask("response", console=console)}
    if kind == "edit":
        return {"type": "edit", "edited_action": {"name": action.tool, "args": _edit(action.args, console)}}
    return {"type": "approve"}


def _edit(args: dict[str, Any], console: Console) -> dict[str, Any]:
    """Edit arguments in `$EDITOR`, or as one line of JSON where there is none, and show what changed."""
    old = json.dumps(args, indent=2, default=str, ensure_ascii=False)
    editor = os.environ.get("EDITOR")
    while True:
        try:
            new = _in_editor(editor, old) if editor else Prompt.ask("arguments (JSON)", console=console)
            edited = json.loads(new)
        except (OSError, subprocess.CalledProcessError) as error:
            console.print(Text(f"The editor failed: {error}"), style="red")
            editor = None
            continue
        except ValueError as error:
            console.print(f"This is not JSON: {error}", style="red")
            continue
        if isinstance(edited, dict):
            break
        console.print("The arguments must be a JSON object.", style="red")
    shown = json.dumps(edited, indent=2, ensure_ascii=False)
    diff = difflib.unified_diff(old.splitlines(), shown.splitlines(), "asked", "edited", lineterm="")
    console.print(Syntax("\n".join(diff), "diff"))
    return edited


def _in_editor(editor: str, text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "arguments.json")
        path.write_text(text, encoding="utf-8")
        subprocess.run([*shlex.split(editor), str(path)], check=True)
        return path.read_text(encoding="utf-8")


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _messages(agent: Any, config: Any) -> int:
    return len(agent.get_state(config).values.get("messages", ()))


def _report(agent: Any, config: Any, before: int, as_json: bool, console: Console) -> None:
    """Show what the answer led to."""
    messages = agent.get_state(config).values.get("messages", [])[before:]
    left = hitl.pending(agent, config)
    if as_json:
        said = [{"type": m.type, "content": m.content, "name": m.name} for m in messages]
        print(json.dumps({"messages": said, "pending": [_plain(action) for action in left]}, default=str))
        return
    for message in messages:
        if message.content:
            console.print(Text(f"{message.name or message.type}: {message.content}"))
    if left:
        console.print(f"{len(left)} more to review on this thread.")
