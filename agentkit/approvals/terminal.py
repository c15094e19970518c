"""What a person sees and types. Whatever a model wrote is escaped before it reaches the terminal."""

from __future__ import annotations

import difflib
import json
import os
import shlex
import subprocess
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from agentkit import hitl

# Controls, formatting such as bidi overrides and zero-width characters, lone surrogates, line separators.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_LETTERS = {"approve": "a", "edit": "e", "reject": "r", "respond": "p", "skip": "s", "back": "b", "quit": "q"}
_MOVES = ("skip", "back", "quit")


def escape(text: object, keep: str = "\n\t") -> str:
    """Write characters that a terminal obeys, or that can't be seen, as in JSON, except those to keep."""
    return "".join(c if c in keep or unicodedata.category(c) not in _UNSEEN else _code(c) for c in str(text))


def _code(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def as_json(value: object) -> str:
    """Write arguments for a person: readable, and still JSON."""
    return escape(json.dumps(value, indent=2, default=str, ensure_ascii=False))


def show(
    console: Console,
    number: int,
    total: int,
    thread: str,
    action: hitl.PendingAction,
    conversation: Sequence[str] = (),
) -> None:
    """Show one action, in full, and what was said before it."""
    console.rule(f"{number} of {total}")
    for line in conversation:
        console.print(Text(escape(line)), style="dim")
    where = " > ".join((thread, *action.where))
    title = Text(escape(f"{where}: {action.tool or 'a question'}", keep=""))
    description = Text(escape(action.description))
    arguments = Syntax(as_json(action.args), "json", word_wrap=True, background_color="default")
    console.print(Panel(arguments if action.tool else description, title=title))
    if action.tool and action.description != action.may_have_run:
        console.print(description, style="dim")
    if action.may_have_run:
        console.print(Text(escape(action.may_have_run)), style="bold red")


def ask(action: hitl.PendingAction, console: Console) -> tuple[str, Any]:
    """Ask for one answer, and return `"skip"`, `"back"`, `"quit"`, or an empty string and the answer."""
    if action.tool is None:
        text = console.input(Text("answer (JSON or text; or :skip, :back, :quit): "))
        return (text[1:], None) if text[:1] == ":" and text[1:] in _MOVES else ("", _json_or_text(text))
    while True:
        kind = _choose([*action.allowed_decisions, *_MOVES], console)
        if kind in _MOVES:
            return kind, None
        if action.may_have_run and kind in ("approve", "edit") and not _is_sure(console):
            continue
        return "", {**_decision(kind, action, console), **({"again": True} if action.may_have_run else {})}


def _sure(console: Console) -> bool:
    return console.input(Text("It may have run already. Run it again? (y/N): ")).strip().lower() in ("y", "yes")


def _is_sure(console: Console) -> bool:
    return console.input(Text("It may have run already. Run it again? (y/N): ")).strip().lower() in ("y", "yes")


def _choose(kinds: Sequence[str], console: Console) -> str:
    letters = {_LETTERS.get(kind, kind): kind for kind in kinds}
    text = ", ".join(f"{kind} ({letter})" for letter, kind in letters.items())
    while True:
        typed = console.input(Text(f"{escape(text)}: ")).strip().lower()
        if typed in letters or typed in kinds:
            return letters.get(typed, typed)
        console.print(Text(f"{escape(typed)!r} is none of these."), style="red")


def _decision(kind: str, action: hitl.PendingAction, console: Console) -> dict[str, Any]:
    if kind == "edit":
        return {"type": "edit", "edited_action": {"name": action.tool, "args": _edit(action.args, console)}}
    if kind == "respond":
        return {"type": "respond", "message": console.input(Text("response: "))}
    if kind == "reject":
        reason = console.input(Text("reason (may be empty): "))
        return {"type": "reject", "message": reason} if reason else {"type": "reject"}
    return {"type": kind}


def _edit(args: dict[str, Any], console: Console) -> dict[str, Any]:
    """Edit arguments in `$EDITOR`, or as one line of JSON where there is none, and show what changed."""
    old = text = as_json(args)
    editor = os.environ.get("EDITOR")
    while True:
        try:
            text = _in_editor(editor, text) if editor else console.input(Text("arguments (JSON): "))
            edited, problem = json.loads(text), "The arguments must be a JSON object."
        except (OSError, subprocess.CalledProcessError) as error:
            console.print(Text(f"The editor failed: {error}"), style="red")
            editor = None
            continue
        except ValueError as error:
            problem, edited = f"This is not JSON: {error}", None
        if isinstance(edited, dict):
            break
        console.print(Text(escape(problem)), style="red")
        if editor:
            console.input(Text("Enter opens the editor again: "))
    diff = difflib.unified_diff(old.splitlines(), as_json(edited).splitlines(), "asked", "edited", lineterm="")
    console.print(Syntax("\n".join(diff), "diff", background_color="default"))
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
