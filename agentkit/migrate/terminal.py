"""The result of a run on the terminal; rich is imported here alone, and only to draw."""

from __future__ import annotations

import sys
from typing import Any

from agentkit.migrate.explain import RULES
from agentkit.migrate.files import Run


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
    for file in run.files:
        if file.error:
            console.print(f"{file.path}: failed: {file.error}", markup=False)
    verb = "changed" if written else "would change"
    console.print(
        f"{numbers['files']} files looked at, {numbers['changed']} {verb}, "
        f"{numbers['left']} left on the shim, {numbers['failed']} failed"
    )
