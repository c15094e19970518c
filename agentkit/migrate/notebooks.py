"""Rewrite the code cells of a notebook, and not one byte besides."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from agentkit.migrate.cells import Cell, like, migrate_cells
from agentkit.migrate.engine import Options, Result

_SPACE = " \t\r\n"


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
    new, result = migrate_cells(cells, options)
    pieces, at = [], 0
    for number in sorted(new):
        cell = cells[number]
        source = like(new[number], cell.text)
        if source != cell.text:
            old = text[cell.start : cell.end]
            pieces += [text[at : cell.start], _encode(source, old)]
            at = cell.end
    return Result("".join([*pieces, text[at:]]), result.changes, result.left, result.node_names, result.notes)


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
