"""Count the uses of legacy names in parsed source, however they were imported.

The codemod finds the same, with more about each; it needs libcst, which the doctor does without.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from agentkit._moves import BY_NAME, GONE, LEGACY_ROOT

_ROOT = LEGACY_ROOT.partition(".")[0]
_LEGACY = frozenset({*GONE, *(name for name, move in BY_NAME.items() if move.since is not None)})


def count(parts: Sequence[ast.AST]) -> Counter[str]:
    """Count imports and uses; a star import counts as "*".

    Args:
        parts: The file, or the cells of a notebook, which share what they import.

    Returns:
        How often each legacy name is imported or used, under its own name.
    """
    nodes = [node for part in parts for node in _nodes(part)]
    counts: Counter[str] = Counter()
    bound: dict[str, str] = {}
    for local, path in (binding for node in nodes for binding in _imports(node)):
        if local == "*":
            bound.update((name, f"{path}.{name}") for name in _exported(path))
            counts["*"] += 1
        else:
            bound[local] = path
            counts.update(_legacy(path))
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            root, dot, rest = _dotted(node).partition(".")
            counts.update(_legacy(bound.get(root, "") + dot + rest))
    return counts


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node, those of quoted annotations too."""
    for node in ast.walk(tree):
        yield node
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for part in ast.walk(annotation) if annotation else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from _quoted(part.value)


def _quoted(annotation: str) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(ast.parse(annotation, mode="eval"))
    except (SyntaxError, ValueError):  # a text that is no annotation
        return


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What an import binds of langgraph: the local name and what it stands for, or "*" and the module."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if _is_in(alias.name, _ROOT):
                yield (alias.asname, alias.name) if alias.asname else (_ROOT, _ROOT)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and _is_in(node.module or "", _ROOT):
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
            elif _is_in(node.module or "", LEGACY_ROOT):
                yield "*", node.module or ""


def _exported(module: str) -> Iterator[str]:
    """The legacy names that a star import of a module may bind."""
    for name in _LEGACY:
        move = BY_NAME.get(name)
        if move is None or (move.top and module == LEGACY_ROOT) or module == f"{LEGACY_ROOT}.{move.module}":
            yield name


def _legacy(path: str) -> list[str]:
    """The legacy name that a dotted path is, if it is one."""
    module, _, name = path.rpartition(".")
    return [name] if name in _LEGACY and _is_in(module, LEGACY_ROOT) else []


def _is_in(path: str, package: str) -> bool:
    return path == package or path.startswith(f"{package}.")


def _dotted(node: ast.expr) -> str:
    """A chain of names as text; empty names where it starts with anything else."""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
