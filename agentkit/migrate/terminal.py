"""The result of a run on the terminal; rich is imported here alone, and only to draw."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from agentkit.migrate.explain import RULES
from agentkit.migrate.files import File, Run


def track(files: Iterable[File], count: int, *, show: bool) -> Iterator[File]:
    """The files as they are done, with a bar on the terminal where there are many."""
    if not show or count < 20 or not sys.stderr.isatty():
        yield from files
        return
    from rich.console import Console
    from rich.progress import track as bar

    yield from bar(files, "rewriting", total=count, console=Console(stderr=True), transient=True)


@contextmanager
def working(words: str, *, show: bool) -> Iterator[None]:
    """A spinner on the terminal while something is done."""
    if not show or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(words):
        yield


def show_diff(text: str) -> None:
    """Print a diff: in colour on a terminal, plain into a pipe."""
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.syntax import Syntax

    Console().print(Syntax(text, "diff", background_color="default", word_wrap=True))


def show_summary(run: Run, numbers: dict[str, Any], *, written: bool) -> None:
    """Print what was done, what was left and why, and what failed."""
    from rich.console import Console
    from rich.table import Table

    console = Console(file=sys.stdout, force_jupyter=False, highlight=False, soft_wrap=True)

    if numbers["rewrites"]:
        table = Table("rule", "rewrites", "what", box=None, pad_edge=False)
        for code, count in numbers["rewrites"].items():
            table.add_row(code, str(count), RULES[code].title)
        console.print(table)
    for file in run.files:
        for left in file.result.left if file.result else ():
            console.print(f"{file.path}:{left.line}: {left.code} left on the shim: {left.reason}", markup=False)
        for note in file.result.notes if file.result else ():
            console.print(f"{file.path}:{note.line}: {note.code} rewritten: {note.reason}", markup=False)
    for file in run.files:
        if file.error:
            console.print(f"{file.path}: failed: {file.error}", markup=False)
    verb = "changed" if written else "would change"
    console.print(
        f"{numbers['files']} files looked at, {numbers['changed']} {verb}, "
        f"{numbers['left']} left on the shim, {numbers['failed']} failed"
    )
