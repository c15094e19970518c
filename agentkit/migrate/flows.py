"""Everything that an expression may be, as far as a file shows."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from agentkit.migrate.scopes import nodes
from agentkit.migrate.source import Function, Source, dotted, key_of, text_of


def origins(source: Source, expression: cst.CSTNode) -> list[cst.CSTNode]:
    """The expressions, functions, classes and parameters that a value may come from.

    Follows names with all their bindings, conditions, `self.name`, class attributes, dicts and lists that
    are looked up, and what the file's own functions return. A name that was imported stands for itself.
    """
    found: list[cst.CSTNode] = []
    _collect(source, expression, found, set())
    return found


def _collect(source: Source, node: cst.CSTNode, found: list[cst.CSTNode], seen: set[cst.CSTNode]) -> None:
    if node in seen:
        return
    seen.add(node)
    inner = list(_inner(source, node))
    if isinstance(node, (cst.Call, cst.Param)) or not inner:
        found.append(node)
    for part in inner:
        _collect(source, part, found, seen)


def _inner(source: Source, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, cst.BooleanOperation):
        yield from (node.left, node.right)
    elif isinstance(node, cst.NamedExpr):
        yield node.value
    elif isinstance(node, cst.Await):
        yield node.expression
    elif isinstance(node, cst.Param):
        if node.default is not None:
            yield node.default
        yield from given(source, node)
    elif isinstance(node, cst.Name):
        only = source.binding(node)
        for binding in [only] if only is not None else source.assignments(node):
            others = [binding] if binding.alias is None else source.elsewhere(node)
            yield from (bound for other in others if (bound := source.bound(other)) is not None)
    elif isinstance(node, cst.Attribute):
        yield from source.members(node)
        yield from (bound for other in source.elsewhere(node) if (bound := source.bound(other)) is not None)
    elif isinstance(node, cst.Subscript):
        yield from elements(source, node.value, key_of(node))
    elif isinstance(node, cst.Call):
        yield from _results(source, node)


def given(source: Source, parameter: cst.Param) -> Iterator[cst.CSTNode]:
    """What the calls in this file give for a parameter of a function, or of a class's `__init__`."""
    function = source.enclosing(parameter, cst.FunctionDef)
    if function is None:
        return
    owner = source.enclosing(function, cst.ClassDef)
    positional = [*function.params.posonly_params, *function.params.params]
    method = owner is not None and source.parent(source.parent(function) or function) is owner
    name = function.name.value if owner is None or function.name.value != "__init__" else owner.name.value
    for call in source.all(cst.Call, function):
        if dotted(call.func).rpartition(".")[2] != name:
            continue
        called = source.value(call.func)
        if called is not function and not (method and called is owner and function.name.value == "__init__"):
            continue
        for place, argument in enumerate(call.args):
            at = positional[place + method] if place + method < len(positional) else None
            if argument.keyword.value == parameter.name.value if argument.keyword else at is parameter:
                yield argument.value


def _results(source: Source, call: cst.Call) -> Iterator[cst.CSTNode]:
    for function in origins(source, call.func) if isinstance(call.func, (cst.Name, cst.Attribute)) else []:
        if isinstance(function, (cst.FunctionDef, cst.Lambda)):
            yield from (value for value in returned(source, function) if value is not None)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in {"get", "pop", "setdefault"}:
        yield from elements(source, call.func.value)
        yield from (argument.value for argument in call.args[1:])


def elements(source: Source, value: cst.BaseExpression, key: str | None = None) -> list[cst.CSTNode]:
    """What the dicts, lists and tuples that a value may be hold; of dicts, only what is under a key if one is given."""
    found: list[cst.CSTNode] = []
    for holder in origins(source, value):
        if isinstance(holder, cst.Dict):
            pairs = [(text_of(e.key), e.value) for e in holder.elements if isinstance(e, cst.DictElement)]
            found += [inner for name, inner in pairs if key is None or name in {key, None}]
        elif isinstance(holder, (cst.List, cst.Tuple)):
            found += [element.value for element in holder.elements]
    return found


def returned(source: Source, function: Function) -> list[cst.BaseExpression | None]:
    """Every expression that a function returns; None for a bare `return`."""
    if isinstance(function, cst.Lambda):
        return [function.body]
    return [
        node.value
        for node in nodes(function)
        if isinstance(node, cst.Return)
        and next(p for p in source.parents(node) if isinstance(p, (cst.FunctionDef, cst.Lambda))) is function
    ]
