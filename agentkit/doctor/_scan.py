"""Count the uses of legacy names in source files, without importing them."""

from __future__ import annotations

import ast
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from agentkit._moves import BY_NAME, LEGACY_ROOT

# Names of langgraph.prebuilt that are gone today.
_GONE = frozenset({"create_agent_executor", "create_function_calling_executor", "ToolExecutor", "ToolInvocation"})
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "venv", "build", "dist"})


def scan(paths: Sequence[Path]) -> tuple[dict[str, dict[str, int]], list[str]]:
    """Count legacy names by file.

    Args:
        paths: Files (`.py`, `.ipynb`) and folders to walk.

    Returns:
        For each file that has any, how often each legacy name is imported or used; and the files that
        could not be read, with the reason.
    """
    found: dict[str, dict[str, int]] = {}
    failed: list[str] = []
    for file in _files(paths):
        try:
            counts = _count(file)
        except (OSError, ValueError, SyntaxError) as error:
            failed.append(f"{file}: {type(error).__name__}: {error}")
            continue
        if counts:
            found[str(file)] = dict(sorted(counts.items()))
    return found, failed


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_file():
            yield path
            continue
        if not path.is_dir():
            raise FileNotFoundError(f"there is no file or folder {str(path)!r}")
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
            yield from (Path(folder, name) for name in sorted(names) if name.endswith((".py", ".ipynb")))


def _count(file: Path) -> Counter[str]:
    source = file.read_bytes()
    counts: Counter[str] = Counter()
    if b"prebuilt" not in source:
        return counts
    if file.suffix != ".ipynb":
        _count_tree(ast.parse(source), counts)
        return counts
    aliases: dict[str, str] = {}
    for cell in json.loads(source).get("cells", ()):
        if cell.get("cell_type") == "code":
            _count_tree(ast.parse(_plain_python(cell.get("source", ""))), counts, aliases)
    return counts


def _plain_python(source: str | list[str]) -> str:
    """A cell without its magics and shell lines; a cell of another language is empty."""
    text = source if isinstance(source, str) else "".join(source)
    if text.lstrip().startswith("%%"):
        return ""
    return "\n".join("pass" if line.lstrip()[:1] in {"%", "!", "?"} else line for line in text.splitlines())


def _count_tree(tree: ast.AST, counts: Counter[str], aliases: dict[str, str] | None = None) -> None:
    """Add the imports and uses; `aliases` (local name -> legacy name) lasts over the cells of a notebook."""
    aliases = {} if aliases is None else aliases
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_legacy_module(node.module):
            for alias in node.names:
                if _is_legacy_name(alias.name):
                    aliases[alias.asname or alias.name] = alias.name
                    counts[alias.name] += 1
        elif isinstance(node, ast.Attribute) and _is_legacy_name(node.attr) and _is_legacy_module(_dotted(node.value)):
            counts[node.attr] += 1
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in aliases and isinstance(node.ctx, ast.Load):
            counts[aliases[node.id]] += 1


def _is_legacy_module(module: str | None) -> bool:
    return module is not None and (module == LEGACY_ROOT or module.startswith(f"{LEGACY_ROOT}."))


def _is_legacy_name(name: str) -> bool:
    return name in _GONE or (name in BY_NAME and BY_NAME[name].since is not None)


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return before and f"{before}.{node.attr}"
    return None
