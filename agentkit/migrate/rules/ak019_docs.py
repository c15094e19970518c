"""AK019: code in docstrings and Markdown fences, on request."""

from __future__ import annotations

import re
from dataclasses import replace

import libcst as cst

from agentkit.migrate.cells import Cell, like, migrate_cells
from agentkit.migrate.engine import Change, Options, Result
from agentkit.migrate.source import Source, read

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<ticks>`{3,}|~{3,})[ \t]*(?:python|py|python3)\b[^\n]*\n(?P<code>.*?)"
    r"^(?P=indent)(?P=ticks)[ \t]*$",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


def migrate_fences(text: str, options: Options) -> Result:
    """Rewrite the Python fences of a Markdown text."""
    options = replace(options, package=True)  # what one fence imports, the text around it may use
    fences = list(_FENCE.finditer(text))
    cells = [Cell(_dedent(match["code"], match["indent"]), *match.span("code")) for match in fences]
    new, result = migrate_cells(cells, options, strict=False)
    pieces, at = [], 0
    for number, match in enumerate(fences):
        if number in new and (code := like(new[number], cells[number].text)) != cells[number].text:
            pieces += [text[at : match.start("code")], _indent(code, match["indent"])]
            at = match.end("code")
    changes = [Change("AK019", change.line) for change in result.changes]
    return Result("".join([*pieces, text[at:]]), changes if pieces else [], result.left)


def migrate_docstrings(done: Result, options: Options) -> Result:
    """Rewrite the Python fences in the docstrings of an already rewritten text."""
    if "```" not in done.source and "~~~" not in done.source:
        return done
    editor = _Docstrings(read(done.source), options)
    new = editor.source.module.visit(editor)
    if not editor.changes:
        return done
    return replace(done, source=new.code, changes=[*done.changes, *editor.changes], left=[*done.left, *editor.left])


class _Docstrings(cst.CSTTransformer):
    def __init__(self, source: Source, options: Options) -> None:
        super().__init__()
        self.source, self.options = source, options
        self.changes: list[Change] = []
        self.left: list = []  # type: ignore[type-arg]

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr:  # noqa: N802
        value = updated_node.value
        # A text with escapes would have to be unescaped and escaped again, and could not stay as written.
        if not isinstance(value, cst.SimpleString) or ("\\" in value.value and "r" not in value.prefix):
            return updated_node
        result = migrate_fences(value.value, self.options)
        if result.source == value.value:
            return updated_node
        line = self.source.line(original_node)
        self.changes += [Change("AK019", line) for _ in result.changes[:1]]
        self.left += [replace(left, line=line) for left in result.left]
        return updated_node.with_changes(value=value.with_changes(value=result.source))


def _dedent(code: str, indent: str) -> str:
    return re.sub(rf"^{re.escape(indent)}", "", code, flags=re.MULTILINE) if indent else code


def _indent(code: str, indent: str) -> str:
    return "".join(f"{indent}{line}" if line.strip() else line for line in code.splitlines(keepends=True))
