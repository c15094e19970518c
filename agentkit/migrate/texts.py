"""What the names of a file hold; asked of files that a file with agents imports from."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator


def parsed(data: bytes) -> ast.Module | None:
    """The syntax tree of a file; None where it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_BOUND = {"bind_tools", "bind", "with_config", "with_retry", "with_fallbacks", "with_structured_output", "pipe"}


def texts_of(tree: ast.Module | None) -> set[str]:
    """The top-level names of a file that only ever hold text, and as `name()` its functions that return it."""
    found: dict[str, bool] = {}
    for node in tree.body if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
            returns = getattr(node, "returns", None)
            text = plain and isinstance(returns, ast.Name) and returns.id == "str"
            found[f"{node.name}()"] = text and f"{node.name}()" not in found
            found[node.name] = False
        for name, value in _assigned(node):
            found[name] = found.get(name, True) and _is_text(value)
    return {name for name, text in found.items() if text}


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value
    elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id, None


def _is_text(node: ast.expr | None) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left)
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            method = function.attr in {"strip", "format"} and _is_text(function.value)
            return method or function.attr == "dedent"
        return isinstance(function, ast.Name) and function.id in {"SystemMessage", "dedent"}
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def kinds_of(tree: ast.Module | None) -> dict[str, str]:
    """The top-level names of a file that hold what `create_agent` does not take; `name()` for what a call gives."""
    found: dict[str, str] = {}
    for node in tree.body if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[node.name] = "function"
            kinds = [_kind(part.value) for part in ast.walk(node) if isinstance(part, (ast.Return, ast.Assign))]
            found[f"{node.name}()"] = next(filter(None, kinds), "")
        elif isinstance(node, ast.ClassDef):
            if any("ToolNode" in ast.unparse(base) for base in node.bases):
                found[f"{node.name}()"] = "ToolNode"
            for statement in node.body:
                for name, value in _assigned(statement):
                    found[f"{node.name}.{name}"] = _kind(value)
        else:
            for part in ast.walk(node):
                for name, value in _assigned(part) if isinstance(part, (ast.Assign, ast.AnnAssign)) else ():
                    found[name] = found.get(name) or _kind(value)
    return {name: kind for name, kind in found.items() if kind}


def _kind(value: ast.expr | None) -> str:
    if isinstance(value, ast.Tuple):
        return "pair" if len(value.elts) == 2 else ""
    if isinstance(value, ast.Lambda):
        return "function"
    for node in ast.walk(value) if value is not None else ():
        function = ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""
        if function == "ToolNode":
            return "ToolNode"
        if function in _BOUND or function == "partial" or function.startswith("Runnable"):
            return "bound"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return "bound"
    return ""
