"""What a rule has to know about a function of the user's before it moves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.source import Function, Source, text_of

INJECTED = {"config", "store", "writer", "previous"}


@dataclass
class UserFunction:
    """A function that was given as prompt, hook or model.

    Attributes:
        node: The function or lambda.
        expression: The expression that names it in the call.
        state: The name of its first parameter.
        runtime: Whether it takes `runtime` too.
        is_async: Whether it is a coroutine function.
    """

    node: Function
    expression: cst.BaseExpression
    state: str
    runtime: bool
    is_async: bool

    @property
    def arguments(self) -> str:
        """What follows the state in a call of the function."""
        return ", runtime" if self.runtime else ""


def user_function(call: AgentCall, keyword: str, code: str, what: str) -> UserFunction:
    """Find the function given for an argument, and check that it can be called by middleware.

    Raises:
        Refused: It can't be seen from here, or takes what middleware has no equal for.
    """
    expression = call.arguments[keyword].value
    node = call.source.value(expression)
    if not isinstance(node, (cst.FunctionDef, cst.Lambda)):
        raise Refused(code, f"{keyword}={brief(call.code(keyword))} is no {what} that this file shows")
    method = isinstance(expression, cst.Attribute)
    if isinstance(node, cst.FunctionDef) and node.decorators:
        raise Refused(code, f"{node.name.value} has a decorator, so what it takes and returns can't be seen")
    parameters = [*node.params.posonly_params, *node.params.params]
    if method:
        parameters = parameters[1:]
    if not parameters or not isinstance(node.params.star_arg, cst.MaybeSentinel) or node.params.star_kwarg:
        raise Refused(code, f"{_name(node)} does not take exactly the state")
    rest = [p for p in parameters[1:] if p.name.value != "runtime"] + [
        p for p in node.params.kwonly_params if p.name.value != "runtime"
    ]
    for parameter in rest:
        if parameter.name.value in INJECTED or parameter.default is None:
            raise Refused(code, f"{_name(node)} also takes {parameter.name.value}, which middleware is not given")
    positional = [p.name.value for p in parameters]
    if "runtime" in positional and positional.index("runtime") != 1:
        raise Refused(code, f"{_name(node)} does not take `runtime` second")
    if any(p.name.value == "runtime" for p in node.params.kwonly_params):
        raise Refused(code, f"{_name(node)} takes `runtime` by keyword")
    if _is_generator(call.source, node):
        raise Refused(code, f"{_name(node)} is a generator")
    if not call.visible(expression):
        raise Refused(code, f"{_name(node)} can't be seen from a function put before this statement")
    is_async = isinstance(node, cst.FunctionDef) and node.asynchronous is not None
    return UserFunction(node, expression, positional[0], "runtime" in positional, is_async)


def names_in(node: cst.CSTNode) -> Iterator[cst.Name]:
    """Every name in a node, in the order of the source."""
    found: list[cst.Name] = []

    class Visitor(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 - libcst's naming
            found.append(node)

    node.visit(Visitor())
    return iter(found)


def strings_in(node: cst.CSTNode) -> set[str]:
    """The values of the string literals in a node."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802
            found.add(text_of(node) or "")

    node.visit(Visitor())
    return found


def hoist(call: AgentCall, function: UserFunction, name: str) -> str:
    """An expression that names the function from within a class or function put before the call.

    A lambda becomes a function of its own; a method is bound to a name first, as `self` means another
    object there.
    """
    if isinstance(function.node, cst.Lambda):
        local = call.fresh(name)
        parameters = call.source.code(function.node.params) or function.state
        call.before.append(f"def {local}({parameters}):\n    return {_flat(call, function.node.body)}\n")
        return local
    if isinstance(function.expression, cst.Attribute):
        local = call.fresh(name)
        call.before.append(f"{local} = {call.source.code(function.expression)}\n")
        return local
    return call.source.code(function.expression)


def _flat(call: AgentCall, body: cst.BaseExpression) -> str:
    code = call.source.code(body)
    return f"({code})" if "\n" in code and not body.lpar else code


def _is_generator(source: Source, function: Function) -> bool:
    return any(source.enclosing(node, cst.FunctionDef) is function for node in source.all(cst.Yield))


def _name(function: Function) -> str:
    return function.name.value if isinstance(function, cst.FunctionDef) else "the lambda"


def brief(code: str) -> str:
    """Code on one line, short enough for a mark."""
    line = " ".join(code.split())
    return line if len(line) <= 40 else f"{line[:37]}..."
