"""Rewrite the code cells of a notebook, and not one byte besides."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]

import libcst as cst

from agentkit.migrate.engine import Options, Result, migrate_source

_SEPARATOR = "__agentkit_cell__({})\n"
_MARKER = re.compile(r"^__agentkit_cell__\((\d+)\)\n", re.MULTILINE)
_MAGIC = re.compile(r"^(?P<indent>[ \t]*)(?P<text>[%!?].*|[\w.\[\]'\", ]+\?{1,2}\s*)$")
_ASSIGNED = re.compile(r"^(?P<indent>[ \t]*)(?P<target>[A-Za-z_][\w, ]*)=\s*(?P<text>[%!].*)$")
_HIDDEN = re.compile(r"^(?P<indent>[ \t]*)(?:(?P<target>[A-Za-z_][\w, ]*)= )?__agentkit_magic__\((?P<number>\d+)\)$")
# Cell magics whose body is Python; the body of any other is left alone.
_PYTHON_CELLS = {"time", "timeit", "capture", "prun"}
_SPACE = " \t\r\n"


@dataclass
class Cell:
    """The source of one code cell.

    Attributes:
        text: The source.
        start: Where its JSON value starts in the file.
        end: Where it ends.
    """

    text: str
    start: int
    end: int


def migrate_notebook(text: str, options: Options | None = None) -> Result:
    """Rewrite the legacy code in a notebook.

    Names are resolved across cells, in their order. Magics and shell lines are kept. Everything of the
    file but the source of a changed cell stays as it is, byte for byte.

    Args:
        text: The notebook file's text.
        options: What to rewrite. Defaults to everything that is exact, to `create_agent`.

    Returns:
        The new text, with what was rewritten and what was left. Lines are counted over all code cells.

    Raises:
        ValueError: The text is no notebook.
        SyntaxError: A cell that uses the legacy API can't be parsed.
    """
    cells = code_cells(text)
    joined, hidden, used = _join(cells)
    result = migrate_source(joined, options)
    if result.source == joined:
        return Result(text, [], result.left, result.node_names)
    new = _split(result.source, hidden)
    pieces, at = [], 0
    for number in sorted(used):
        cell = cells[number]
        source = _like(new[number], cell.text)
        if source != cell.text:
            old = text[cell.start : cell.end]
            pieces += [text[at : cell.start], _encode(source, old)]
            at = cell.end
    return Result("".join([*pieces, text[at:]]), result.changes, result.left, result.node_names)


def code_cells(text: str) -> list[Cell]:
    """Find the code cells of a notebook.

    Raises:
        ValueError: The text is no notebook.
    """
    notebook = json.loads(text)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("no notebook: it has no list of cells")
    kinds = [cell.get("cell_type") if isinstance(cell, dict) else None for cell in notebook["cells"]]
    if None in kinds:
        raise ValueError("no notebook: a cell has no type")
    start = _value_of(text, 0, "cells")
    found = []
    for kind, place in zip(kinds, _items(text, start), strict=True):
        if kind == "code":
            at = _value_of(text, place, "source")
            value, end = json.JSONDecoder().raw_decode(text, at)
            found.append(Cell(value if isinstance(value, str) else "".join(value), at, end))
    return found


# --- a JSON text, with places ---


def _skip(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at


def _value_of(text: str, at: int, wanted: str) -> int:
    """Where the value of a key starts in the object at a place."""
    at = _skip(text, at) + 1
    while text[at := _skip(text, at)] != "}":
        key, at = scanstring(text, at + 1, True)
        at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            return at
        _, at = json.JSONDecoder().raw_decode(text, at)
        at = _skip(text, at)
        at += text[at] == ","
    raise ValueError(f"no notebook: {wanted!r} is missing")


def _items(text: str, at: int) -> list[int]:
    """Where the items of the list at a place start."""
    found = []
    at = _skip(text, at) + 1
    while text[at := _skip(text, at)] != "]":
        found.append(at)
        _, at = json.JSONDecoder().raw_decode(text, at)
        at = _skip(text, at)
        at += text[at] == ","
    return found


def _encode(source: str, old: str) -> str:
    """Write a source the way the old one was written: as text or list, with its layout and escapes."""
    escape = "\\u" in old and old.isascii()
    if not old.startswith("["):
        return json.dumps(source, ensure_ascii=escape)
    lines = [json.dumps(line, ensure_ascii=escape) for line in source.splitlines(keepends=True)]
    before = old[1 : _skip(old, 1)]
    after = old[len(old[:-1].rstrip(_SPACE)) : -1]
    comma = re.search(r'",(\s*)"', old)
    between = comma.group(1) if comma else before if before.strip(" ") else " "
    return "[" + before + f",{between}".join(lines) + after + "]"


# --- cells as one module ---


def _join(cells: list[Cell]) -> tuple[str, list[str], set[int]]:
    """One module of all cells that are Python, each after a marker; magics hidden."""
    hidden: list[str] = []
    parts: list[str] = []
    used = set()
    for number, cell in enumerate(cells):
        size = len(hidden)
        code = _hide(cell.text, hidden)
        if code is None or not _parses(code):
            del hidden[size:]
            if code is not None and _mentions(cell.text):
                raise SyntaxError(f"code cell {number + 1} can't be parsed")
            continue
        used.add(number)
        parts += [_SEPARATOR.format(number), code if code.endswith("\n") or not code else f"{code}\n"]
    return "".join(parts), hidden, used


def _split(text: str, hidden: list[str]) -> dict[int, str]:
    pieces = _MARKER.split(text)[1:]
    return {int(number): _show(code, hidden) for number, code in zip(pieces[::2], pieces[1::2], strict=True)}


def _like(new: str, old: str) -> str:
    """A new source with the empty lines that the old one had at its ends."""
    head = old[: len(old) - len(old.lstrip("\n"))]
    tail = old[len(old.rstrip("\n")) :]
    return head + new.strip("\n") + tail if old.strip("\n") else old


def _hide(source: str, hidden: list[str]) -> str | None:
    """Put a call in the place of each magic or shell line; None for a cell that is no Python."""
    if source.startswith("%%") and source[2:].split(None, 1)[:1] not in [[name] for name in _PYTHON_CELLS]:
        return None
    if _parses(source):
        return source
    lines = []
    for line in source.split("\n"):
        assigned = _ASSIGNED.match(line)
        magic = assigned or _MAGIC.match(line)
        if magic is None:
            lines.append(line)
            continue
        target = f"{assigned['target']}= " if assigned else ""
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
        cst.parse_module(code)
    except cst.ParserSyntaxError:
        return False
    return True


def _mentions(source: str) -> bool:
    return "langgraph" in source and "prebuilt" in source
