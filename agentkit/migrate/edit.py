"""Apply edits to a tree in one walk, and lose no comment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from agentkit.migrate.calls import AgentCall, FunctionEdit
from agentkit.migrate.source import Source

MARK = "# TODO(agentkit):"
# Comments that speak to a tool about their line, and so belong on every line that it becomes.
_DIRECTIVE = re.compile(r"#\s*(noqa|type:|pyright:|pylint:|nosec|isort:|ruff:)")
NodeEdit = Callable[[Any], Any]


@dataclass
class Edits:
    """What to change, by node of the old tree.

    Attributes:
        nodes: Functions from the updated node to the new one.
        values: New expressions.
        before: Source of statements to put before a statement.
        imports: Source of the statements that an import becomes.
        remove: Statement lines that go.
        marks: Comment lines to put before a statement.
        marked: Statements whose marks of an earlier run are out of date.
    """

    nodes: dict[cst.CSTNode, NodeEdit] = field(default_factory=dict)
    values: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    before: dict[cst.CSTNode, list[str]] = field(default_factory=dict)
    imports: dict[cst.CSTNode, list[str]] = field(default_factory=dict)
    remove: set[cst.CSTNode] = field(default_factory=set)
    marks: dict[cst.CSTNode, list[str]] = field(default_factory=dict)
    marked: set[cst.CSTNode] = field(default_factory=set)


def apply_edits(source: Source, edits: Edits) -> str:
    """Return the new source text."""
    return source.module.visit(_Editor(source, edits)).code


class _Editor(cst.CSTTransformer):
    def __init__(self, source: Source, edits: Edits) -> None:
        super().__init__()
        self.module, self.edits = source.module, edits
        module = source.module
        # Only what holds an edit is walked: the rest of the tree is taken over as it is.
        touched: set[cst.CSTNode] = set()
        for nodes in (edits.nodes, edits.values, edits.before, edits.imports, edits.remove, edits.marks, edits.marked):
            touched.update(nodes)
        self.path = touched.union(*(source.parents(node) for node in touched))
        self.top = set(module.body)
        self.first: set[cst.CSTNode] = set()  # the first statements of blocks
        self.orphans: set[cst.CSTNode] = set()  # lines of which the comments alone are left

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.IndentedBlock):
            self.first.update(node.body[:1])
        return node in self.path

    def on_leave(self, original: Any, updated: Any) -> Any:
        edits = self.edits
        if original not in self.path:
            return updated
        if original in edits.values:
            return edits.values[original]
        if original in edits.nodes:
            updated = edits.nodes[original](updated)
        if original in edits.remove:
            return self._removed(updated)
        if isinstance(original, cst.SimpleStatementLine):
            lines = self._line(original, updated)
        elif isinstance(original, cst.BaseCompoundStatement):
            lines = [updated]
        elif isinstance(original, cst.IndentedBlock):
            return self._block(updated)
        else:
            return updated
        lines = self._with_marks(original, lines)
        lines = self._with_statements(original, lines)
        return lines[0] if len(lines) == 1 else cst.FlattenSentinel(lines)

    def _removed(self, updated: cst.SimpleStatementLine) -> Any:
        if not _comments(updated):
            return cst.RemoveFromParent()
        self.orphans.add(updated)
        return updated

    def _block(self, updated: cst.IndentedBlock) -> cst.IndentedBlock:
        """A block without removed lines; their comments go to the line after."""
        body: list[Any] = []
        statement: Any
        waiting: list[cst.EmptyLine] = []
        for statement in updated.body:
            if statement in self.orphans:
                waiting += [cst.EmptyLine(comment=cst.Comment(text)) for text in _comments(statement)]
            elif waiting:
                body.append(statement.with_changes(leading_lines=[*waiting, *statement.leading_lines]))
                waiting = []
            else:
                body.append(statement)
        if not body:
            body, waiting = [cst.SimpleStatementLine([cst.Pass()], leading_lines=waiting)], []
        return updated.with_changes(body=body, footer=[*waiting, *updated.footer])

    def _line(self, original: cst.SimpleStatementLine, updated: cst.SimpleStatementLine) -> list[Any]:
        """A line of simple statements, with its imports replaced and its comments kept."""
        parts: list[str | cst.BaseSmallStatement] = []
        replaced = False
        for old, new in zip(original.body, updated.body, strict=True):
            if old in self.edits.imports:
                replaced = True
                parts += self.edits.imports[old]
            else:
                parts.append(new)
        if not replaced:
            return [self._keep_comments(original, [updated])[0]]
        if len(original.body) > 1:
            small = [self._small(part) if isinstance(part, str) else part for part in parts]
            return self._keep_comments(original, [updated.with_changes(body=small)])
        lines = [self._parse(part) if isinstance(part, str) else cst.SimpleStatementLine([part]) for part in parts]
        if not lines:
            return [updated.with_changes(body=[cst.Pass()])] if _comments(updated) else []
        trailing, inner = updated.trailing_whitespace, _opening(original.body[0])
        if trailing.comment is None and inner is not None:
            space = cst.SimpleWhitespace("  ")
            trailing = trailing.with_changes(whitespace=space, comment=inner)
        spread = trailing.comment is not None and _DIRECTIVE.match(trailing.comment.value)
        lines = [
            line.with_changes(trailing_whitespace=trailing)
            if line.trailing_whitespace.comment is None and (spread or not place)
            else line
            for place, line in enumerate(lines)
        ]
        lines[0] = lines[0].with_changes(leading_lines=updated.leading_lines)
        return self._keep_comments(original, lines)

    def _keep_comments(self, original: cst.CSTNode, lines: list[Any]) -> list[Any]:
        """Put comments that got lost within a statement before it."""
        kept = Counter(comment for line in lines for comment in _comments(line))
        lost = Counter(text for text in _comments(original) if not _DIRECTIVE.match(text)) - kept
        if lost and lines:
            extra = [cst.EmptyLine(comment=cst.Comment(text)) for text in lost.elements()]
            lines[0] = lines[0].with_changes(leading_lines=[*lines[0].leading_lines, *extra])
        return lines

    def _with_marks(self, original: cst.CSTNode, lines: list[Any]) -> list[Any]:
        marks = self.edits.marks.get(original, [])
        if not lines or not (marks or original in self.edits.marked):
            return lines
        leading = [
            line for line in lines[0].leading_lines if line.comment is None or not line.comment.value.startswith(MARK)
        ]
        lines = [lines[0].with_changes(leading_lines=leading), *lines[1:]]
        for mark in marks:
            if mark not in self._header():
                words = re.findall(r"\w+", mark)
                at = next((n for n, line in enumerate(lines) if words[3] in self.module.code_for_node(line)), 0)
                comments = [*lines[at].leading_lines, cst.EmptyLine(comment=cst.Comment(mark))]
                lines[at] = lines[at].with_changes(leading_lines=comments)
        return lines

    def _header(self) -> str:
        return "".join(line.comment.value + "\n" for line in self.module.header if line.comment)

    def _with_statements(self, original: cst.CSTNode, lines: list[Any]) -> list[Any]:
        texts = self.edits.before.get(original, [])
        if not texts or not lines:
            return lines
        at_top = original in self.top
        blank = [cst.EmptyLine(indent=False)] * (2 if at_top else 1)
        first, *rest = lines
        new: list[Any] = []
        previous_is_block = True
        for place, text in enumerate(texts):
            statement = self._parse(text)
            block = isinstance(statement, cst.BaseCompoundStatement)
            apart = (block or previous_is_block) if place else (block or at_top) and original not in self.first
            statement = statement.with_changes(leading_lines=blank if apart else [])
            previous_is_block = block
            new.append(statement)
        if previous_is_block:
            first = first.with_changes(leading_lines=[*blank, *_unblanked(first.leading_lines)])
        return [*new, first, *rest]

    def _parse(self, text: str) -> Any:
        return cst.parse_statement(text, config=self.module.config_for_parsing)

    def _small(self, text: str) -> cst.BaseSmallStatement:
        line = cst.ensure_type(self._parse(" ".join(text.split())), cst.SimpleStatementLine)
        return line.body[0]


def _opening(statement: cst.BaseSmallStatement) -> cst.Comment | None:
    """The comment after the opening bracket of an import, which speaks of the whole."""
    bracket = statement.lpar if isinstance(statement, cst.ImportFrom) else None
    after = getattr(bracket, "whitespace_after", None)
    return after.first_line.comment if isinstance(after, cst.ParenthesizedWhitespace) else None


def _unblanked(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    rest = list(lines)
    while rest and rest[0].comment is None:
        rest.pop(0)
    return rest


def _comments(node: cst.CSTNode) -> list[str]:
    found: list[str] = []

    class Visitor(cst.CSTVisitor):
        def visit_Comment(self, node: cst.Comment) -> None:  # noqa: N802 - libcst's naming
            found.append(node.value)

    node.visit(Visitor())
    return found


def call_edit(call: AgentCall) -> NodeEdit:
    """The edit that makes a call of `create_react_agent` one of `create_agent`."""
    keywords = {id(argument): keyword for keyword, argument in call.arguments.items()}
    order = [keywords[id(argument)] for argument in call.node.args]
    function = call.name(call.agent_module, "create_agent")

    def edit(updated: cst.Call) -> cst.Call:
        arguments: list[cst.Arg] = []
        for keyword, argument in zip(order, updated.args, strict=True):
            if keyword == call.slot:
                arguments.append(_argument(argument, "middleware", _list(call.middleware)))
            elif keyword not in call.replaced:
                arguments.append(argument)
            elif (replacement := call.replaced[keyword]) is not None:
                new, value = replacement
                same = value is call.arguments[keyword].value
                arguments.append(_argument(argument, new, argument.value if same else value))
            else:
                arguments = _close(arguments, argument)
        if call.middleware and not call.slot:
            arguments = _append(arguments, "middleware", _list(call.middleware))
        for keyword, value in call.added.items():
            arguments = _append(arguments, keyword, value)
        return updated.with_changes(func=cst.Name(function), args=arguments)

    return edit


def _argument(argument: cst.Arg, keyword: str, value: cst.BaseExpression) -> cst.Arg:
    if not keyword:
        return argument.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT, value=value)
    plain = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    equal = argument.equal if isinstance(argument.equal, cst.AssignEqual) else plain
    return argument.with_changes(keyword=cst.Name(keyword), equal=equal, value=value)


def _close(arguments: list[cst.Arg], removed: cst.Arg) -> list[cst.Arg]:
    """Drop an argument: where it was the last, the one before takes over how it ended."""
    if not arguments or (isinstance(removed.comma, cst.Comma) and _is_middle(removed)):
        return arguments
    last = arguments[-1]
    comma = removed.comma
    old, new = (getattr(c, "whitespace_after", None) for c in (last.comma, comma))
    if isinstance(old, cst.ParenthesizedWhitespace) and isinstance(new, cst.ParenthesizedWhitespace):
        # Its own comment stays beside it; of the removed one, only the way to the bracket is taken.
        lines = [*old.empty_lines, *new.empty_lines]
        comma = last.comma.with_changes(  # type: ignore[union-attr]
            whitespace_after=old.with_changes(empty_lines=lines, last_line=new.last_line)
        )
    last = last.with_changes(comma=comma, whitespace_after_arg=removed.whitespace_after_arg)
    return [*arguments[:-1], last]


def _is_middle(argument: cst.Arg) -> bool:
    """Whether a comma is followed by another argument on its line, or by a line that goes on as deep."""
    comma = argument.comma
    assert isinstance(comma, cst.Comma)
    after: Any = comma.whitespace_after
    if isinstance(after, cst.ParenthesizedWhitespace):
        return bool(after.last_line.value)
    return bool(after.value)


def _append(arguments: list[cst.Arg], keyword: str, value: cst.BaseExpression) -> list[cst.Arg]:
    plain = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(value, keyword=cst.Name(keyword), equal=plain)
    if not arguments:
        return [new]
    last = arguments[-1]
    between = arguments[-2].comma if len(arguments) > 1 else None
    if not isinstance(between, cst.Comma):
        between = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    new = new.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    last = last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace(""))
    return [*arguments[:-1], last, new]


def _list(items: Sequence[str]) -> cst.BaseExpression:
    return cst.parse_expression(f"[{', '.join(items)}]")


def function_edit(edit: FunctionEdit) -> NodeEdit:
    """The edit that makes a function of the user's a middleware hook."""

    def change(updated: cst.FunctionDef) -> cst.FunctionDef:
        first, *rest = updated.params.params
        body = updated.body
        parameters = updated.params
        if edit.request:
            first = first.with_changes(name=cst.Name("request"), annotation=cst.Annotation(cst.Name(edit.request)))
        for line in reversed(edit.lines):
            body = _with_first_line(body, line)
        if edit.dropped:
            rest = [p for p in rest if p.name.value not in edit.dropped]
            only = [p for p in parameters.kwonly_params if p.name.value not in edit.dropped]
            star = parameters.star_arg if only else cst.MaybeSentinel.DEFAULT
            parameters = parameters.with_changes(kwonly_params=only, star_arg=star)
            if not rest and not only:
                first = first.with_changes(comma=cst.MaybeSentinel.DEFAULT)
        if edit.runtime:
            if not isinstance(first.comma, cst.Comma):
                first = first.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            rest = [cst.Param(cst.Name(edit.runtime)), *rest]
        returns = updated.returns
        if edit.request and returns is not None:
            returns = returns.with_changes(annotation=cst.Name(edit.result)) if edit.result else None
        return updated.with_changes(
            decorators=[cst.Decorator(cst.Name(edit.decorator)), *updated.decorators],
            params=parameters.with_changes(params=[first, *rest]),
            returns=returns,
            body=body,
        )

    return change


def _with_first_line(body: cst.BaseSuite, text: str) -> cst.BaseSuite:
    line = cst.parse_statement(text)
    if isinstance(body, cst.SimpleStatementSuite):
        return cst.IndentedBlock([line, cst.SimpleStatementLine(body.body)])
    statements = list(body.body)
    first = statements[0] if statements else None
    docstring = (
        isinstance(first, cst.SimpleStatementLine)
        and isinstance(first.body[0], cst.Expr)
        and isinstance(first.body[0].value, (cst.SimpleString, cst.ConcatenatedString))
    )
    return body.with_changes(body=[*statements[:docstring], line, *statements[docstring:]])
