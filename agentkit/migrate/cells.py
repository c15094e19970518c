"""Code that is spread over cells or fences, rewritten as one module."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from agentkit._magics import MAGIC, WRITTEN, is_python
from agentkit.migrate.engine import Options, Result, migrate_source
from agentkit.migrate.source import parse

_SEPARATOR = "__agentkit_cell__({})\n"
_MARKER = re.compile(r"^__agentkit_cell__\((\d+)\)\n", re.MULTILINE)
_HIDDEN = re.compile(r"^(?P<indent>[ \t]*)(?:(?P<target>[A-Za-z_][\w, ]*)= )?__agentkit_magic__\((?P<number>\d+)\)$")


@dataclass
class Cell:
    """The source of one code cell.

    Attributes:
        text: The source.
        start: Where it starts in the file.
        end: Where it ends.
    """

    text: str
    start: int
    end: int


def migrate_cells(
    cells: Sequence[Cell], options: Options | None, *, strict: bool = True
) -> tuple[dict[int, str], Result]:
    """Rewrite cells, with names resolved across them in their order.

    Args:
        cells: The cells.
        options: What to rewrite.
        strict: Whether a cell with legacy code that can't be parsed is an error. Defaults to True.

    Returns:
        The new source of each cell that was read, by number, and the result over all of them.

    Raises:
        SyntaxError: A cell that uses the legacy API can't be parsed.
    """
    apart = [number for number, cell in enumerate(cells) if WRITTEN.match(cell.text)]
    groups = [[number for number in range(len(cells)) if number not in apart], *([number] for number in apart)]
    new: dict[int, str] = {}
    total = Result("")
    for group in groups:
        joined, hidden = _join({number: cells[number] for number in group}, strict)
        result = migrate_source(joined, options)
        if result.source != joined:
            new |= _split(result.source, hidden)
        total.changes += result.changes
        total.left += result.left
        total.notes += result.notes
        total.node_names |= result.node_names
    return new, total


def _join(cells: Mapping[int, Cell], strict: bool) -> tuple[str, list[str]]:
    """One module of all cells that are Python, each after a marker; magics hidden."""
    hidden: list[str] = []
    parts: list[str] = []
    for number, cell in cells.items():
        size = len(hidden)
        code = _hide(cell.text, hidden)
        if code is None or not _parses(code):
            del hidden[size:]
            if strict and code is not None and _mentions(cell.text):
                raise SyntaxError(f"code cell {number + 1} can't be parsed")
            continue
        parts += [_SEPARATOR.format(number), code if code.endswith("\n") or not code else f"{code}\n"]
    return "".join(parts), hidden


def _split(text: str, hidden: list[str]) -> dict[int, str]:
    pieces = _MARKER.split(text)[1:]
    return {int(number): _show(code, hidden) for number, code in zip(pieces[::2], pieces[1::2], strict=True)}


def like(new: str, old: str) -> str:
    """A new source with the empty lines that the old one had at its ends."""
    head = old[: len(old) - len(old.lstrip("\n"))]
    tail = old[len(old.rstrip("\n")) :]
    return head + new.strip("\n") + tail if old.strip("\n") else old


def _hide(source: str, hidden: list[str]) -> str | None:
    """Put a call in the place of each magic or shell line; None for a cell that is no Python."""
    if not is_python(source):
        return None
    if _parses(source):
        return source
    lines = []
    for line in source.split("\n"):
        magic = MAGIC.match(line)
        if magic is None:
            lines.append(line)
            continue
        target = f"{magic['target']}= " if magic["target"] else ""
        lines.append(f"{magic['indent']}{target}__agentkit_magic__({len(hidden)})")
        hidden.append(line)
    return "\n".join(lines)


def _show(code: str, hidden: list[str]) -> str:
    def shown(line: str) -> str:
        match = _HIDDEN.match(line)
        return hidden[int(match["number"])] if match else line

    return "\n".join(shown(line) for line in code.split("\n"))


def _parses(code: str) -> bool:
    try:
        parse(code)
    except (cst.ParserSyntaxError, ValueError):
        return False
    return True


def _mentions(source: str) -> bool:
    return "langgraph" in source and "prebuilt" in source
