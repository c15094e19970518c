"""Find source files and count the legacy names in them, without importing anything."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from agentkit._magics import MAGIC, is_python
from agentkit.doctor import _names

_WORD = re.compile(r"\w+")
_SUFFIXES = (".py", ".pyi", ".ipynb")
_UNPARSABLE = (ValueError, SyntaxError, RecursionError, MemoryError)
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "venv", "build", "dist"})


def scan(paths: Sequence[Path]) -> tuple[dict[str, dict[str, int]], list[str]]:
    """Count legacy names by file.

    Args:
        paths: Files (`.py`, `.pyi`, `.ipynb`) and folders to walk.

    Returns:
        For each file that has any, how often each legacy name is imported or used; and what could not be
        read, with the reason: folders, files, cells of notebooks.

    Raises:
        FileNotFoundError: One of the paths does not exist.
    """
    found: dict[str, dict[str, int]] = {}
    failed: list[str] = []
    for file in _files(paths, failed):
        try:
            counts = _count(file, failed)
        except (OSError, *_UNPARSABLE) as error:
            failed.append(_reason(file, error))
            continue
        if counts:
            found[str(file)] = dict(sorted(counts.items()))
    return found, failed


def places(names: Collection[str], paths: Sequence[Path]) -> dict[str, tuple[str, int]]:
    """Where names first occur in source files, as words: the file and the line; of a notebook, the line of its JSON."""
    found: dict[str, tuple[str, int]] = {}
    for file in _files(paths, []):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:  # `scan` names it
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for word in set(_WORD.findall(line)).intersection(names):
                found.setdefault(word, (str(file), number))
    return found


def _files(paths: Sequence[Path], failed: list[str]) -> Iterator[Path]:
    def name(error: OSError) -> None:
        failed.append(_reason(str(error.filename), error))

    for path in paths:
        if not os.path.isdir(path):
            if not os.path.lexists(path):
                raise FileNotFoundError(f"there is no file or folder {str(path)!r}")
            yield path
            continue
        for folder, folders, names in os.walk(path, onerror=name):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
            yield from (Path(folder, name) for name in sorted(names) if name.endswith(_SUFFIXES))


def _count(file: Path, failed: list[str]) -> Counter[str]:
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError("not a regular file")
    source = file.read_bytes()
    if b"prebuilt" not in source:
        return Counter()
    if file.suffix != ".ipynb":
        return _names.count([_parse(source)])
    cells = _code_cells(json.loads(source))
    return _names.count([_parse_cell(text, f"{file}, code cell {number}", failed) for number, text in cells])


def _code_cells(notebook: object) -> Iterator[tuple[int, str]]:
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ValueError("no notebook: it has no list of cells")
    for number, cell in enumerate((cell for cell in cells if cell.get("cell_type") == "code"), 1):
        source = cell.get("source", "")
        yield number, source if isinstance(source, str) else "".join(map(str, source or ()))


def _parse_cell(text: str, where: str, failed: list[str]) -> ast.AST:
    """A cell without its magics and shell lines; one of another language, or that can't be parsed, is empty."""
    if is_python(text):
        try:
            return _parse(text)
        except _UNPARSABLE:
            text = "\n".join(MAGIC.sub(r"\g<indent>pass", line) for line in text.split("\n"))
        try:
            return _parse(text)
        except _UNPARSABLE as error:
            failed.append(_reason(where, error))
    return ast.Module([], [])


def _parse(source: str | bytes) -> ast.AST:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the code that is read, such as "\d"
        return ast.parse(source)


def _reason(where: str | Path, error: BaseException) -> str:
    words = error.strerror if isinstance(error, OSError) and error.strerror else error
    return f"{where}: {type(error).__name__}: {words}"
