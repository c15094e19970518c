"""AK003: a prompt that is text becomes `system_prompt=`."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.flows import elements, given, returned
from agentkit.migrate.scopes import Assignment
from agentkit.migrate.source import Source, dotted, key_of

_STRING_METHODS = {
    "format", "strip", "lstrip", "rstrip", "join", "replace", "read_text", "read", "upper", "lower",
    "removeprefix", "removesuffix", "format_map", "expandtabs", "title", "capitalize",
}  # fmt: skip
_STRING_FUNCTIONS = {
    "str", "textwrap.dedent", "inspect.cleandoc", "os.getenv", "os.environ.get", "builtins.str",
}  # fmt: skip
_TEXT_ANNOTATIONS = {
    "str",
    "SystemMessage",
    "str | None",
    "Optional[str]",
    "None | str",
    "str | SystemMessage",
}


def apply(call: AgentCall) -> bool:
    """Rewrite a prompt that is text; say whether it was."""
    value = call.value("prompt")
    if value is None or not is_text(call.source, value):
        return False
    call.used("AK003")
    call.rename("prompt", "system_prompt")
    return True


def is_text(source: Source, node: cst.CSTNode | None, depth: int = 0) -> bool:
    """Whether an expression is a string or a SystemMessage as far as this file shows."""
    if node is None or depth > 8:
        return False
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)):
        return True
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, cst.Modulo):
            return is_text(source, node.left, depth + 1)
        return isinstance(node.operator, cst.Add) and (
            is_text(source, node.left, depth + 1) or is_text(source, node.right, depth + 1)
        )
    if isinstance(node, cst.IfExp):
        return all(_text_or_none(source, part, depth) for part in (node.body, node.orelse))
    if isinstance(node, cst.BooleanOperation):
        left = isinstance(node.operator, cst.And) or _text_or_none(source, node.left, depth)
        return left and is_text(source, node.right, depth + 1)
    if isinstance(node, cst.Call):
        return _call_is_text(source, node, depth)
    if isinstance(node, cst.Param):
        return _parameter_is_text(source, node, depth)
    if isinstance(node, cst.Name):
        return _name_is_text(source, node, depth)
    if isinstance(node, cst.Attribute):
        if _annotation(source, source.annotation(node)) in _TEXT_ANNOTATIONS:
            return True
        if (others := source.elsewhere(node)) and depth < 8:
            return _bound_to_text(source, others, depth)
        found = source.members(node)
        return bool(found) and all(is_text(source, value, depth + 1) for value in found)
    if isinstance(node, cst.Subscript):
        parts = elements(source, node.value, key_of(node))
        return bool(parts) and all(is_text(source, value, depth + 1) for value in parts)
    return False


def _text_or_none(source: Source, node: cst.BaseExpression, depth: int) -> bool:
    return (isinstance(node, cst.Name) and node.value == "None") or is_text(source, node, depth + 1)


def _call_is_text(source: Source, node: cst.Call, depth: int) -> bool:
    name = dotted(node.func)
    origin = source.imported(node.func)
    if origin.split(".")[-1] == "SystemMessage" and origin.startswith("langchain"):
        return True
    if (origin or name) in _STRING_FUNCTIONS:
        return True
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _STRING_METHODS:
        owner = node.func.value
        # A prompt template has `format` too, but what that returns is text as well.
        return node.func.attr.value in {"read_text", "read", "format"} or is_text(source, owner, depth + 1)
    function = source.value(node.func) if isinstance(node.func, (cst.Name, cst.Attribute)) else None
    if not isinstance(function, cst.FunctionDef) or function.decorators or function.asynchronous:
        return False
    if function.returns is not None:
        return _annotation(source, function.returns) in _TEXT_ANNOTATIONS
    values = returned(source, function)
    return bool(values) and all(is_text(source, value, depth + 1) for value in values)


def _parameter_is_text(source: Source, node: cst.Param, depth: int) -> bool:
    if node.annotation is not None:
        return _annotation(source, node.annotation) in _TEXT_ANNOTATIONS
    values = [*([node.default] if node.default is not None else []), *given(source, node)]
    return bool(values) and all(is_text(source, value, depth + 1) for value in values)


def _name_is_text(source: Source, node: cst.Name, depth: int) -> bool:
    only = source.binding(node)
    return _bound_to_text(source, [only] if only is not None else source.assignments(node), depth)


def _bound_to_text(source: Source, assignments: Sequence[Assignment], depth: int) -> bool:
    """Whether a name only ever holds text."""
    for bound in assignments:
        parent = source.parent(bound.node)
        if bound.alias is not None:
            alias = bound.alias.asname.name if bound.alias.asname is not None else bound.alias.name
            text = _bound_to_text(source, source.elsewhere(alias), depth + 1)
        else:
            value = parent.value if isinstance(parent, cst.AugAssign) else source.bound(bound)
            text = is_text(source, value, depth + 1)
        if not text:
            return False
    return bool(assignments)


def _annotation(source: Source, annotation: cst.Annotation | None) -> str:
    if annotation is None:
        return ""
    inner = annotation.annotation
    text = inner.evaluated_value if isinstance(inner, cst.SimpleString) else source.code(inner)
    return str(text)
