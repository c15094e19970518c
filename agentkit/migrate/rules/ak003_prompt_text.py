"""AK003: a prompt that is text becomes `system_prompt=`."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall
from agentkit.migrate.source import Source, dotted

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
    if value is None or not (is_text(call.source, value) or _imported_text(call, value)):
        return False
    call.used("AK003")
    call.rename("prompt", "system_prompt")
    return True


def _imported_text(call: AgentCall, value: cst.BaseExpression) -> bool:
    """Whether a name, or a call of it, was imported from a file of the run where it is text."""
    name = value.func if isinstance(value, cst.Call) else value
    binding = call.source.binding(name)
    suffix = "()" if isinstance(value, cst.Call) else ""
    return (
        binding is not None
        and binding.alias is not None
        and isinstance(name, cst.Name)
        and f"{name.value}{suffix}" in call.options.texts
    )


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
        return is_text(source, node.right, depth + 1)
    if isinstance(node, cst.Call):
        return _call_is_text(source, node, depth)
    if isinstance(node, cst.Param):
        return _parameter_is_text(source, node, depth)
    if isinstance(node, cst.Name):
        return _name_is_text(source, node, depth)
    if isinstance(node, cst.Attribute):
        followed = source.value(node)
        return followed is not node and is_text(source, followed, depth + 1)
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
    return isinstance(function, cst.FunctionDef) and _annotation(source, function.returns) in _TEXT_ANNOTATIONS


def _parameter_is_text(source: Source, node: cst.Param, depth: int) -> bool:
    if node.annotation is not None:
        return _annotation(source, node.annotation) in _TEXT_ANNOTATIONS
    return node.default is not None and is_text(source, node.default, depth + 1)


def _name_is_text(source: Source, node: cst.Name, depth: int) -> bool:
    found = source.assignments(node)
    for assignment in found:
        target = getattr(assignment, "node", None)
        parent = source.parent(target) if target is not None else None
        if isinstance(target, cst.Param):
            value: cst.CSTNode | None = target
        elif isinstance(parent, cst.Param):
            value = parent
        elif isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            holder = source.parent(parent) if isinstance(parent, cst.AssignTarget) else parent
            value = getattr(holder, "value", None)
        elif isinstance(parent, cst.AsName):
            return False
        else:
            return False
        if not is_text(source, value, depth + 1):
            return False
    return bool(found)


def _annotation(source: Source, annotation: cst.Annotation | None) -> str:
    if annotation is None:
        return ""
    inner = annotation.annotation
    text = inner.evaluated_value if isinstance(inner, cst.SimpleString) else source.code(inner)
    return str(text)
