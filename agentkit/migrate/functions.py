"""What a rule has to know about a function of the user's before it moves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.flows import returned
from agentkit.migrate.scopes import nodes
from agentkit.migrate.source import Function, Source

# What langgraph gives a function by the name of a parameter, where it has one of these annotations or none.
_GIVEN = {
    "config": {"", "RunnableConfig", "Optional[RunnableConfig]"},
    "store": {"", "BaseStore", "Optional[BaseStore]"},
    "writer": {"", "StreamWriter"},
}


@dataclass
class UserFunction:
    """A function that was given as prompt, hook or model.

    Attributes:
        node: The function or lambda.
        expression: The expression that names it in the call.
        state: The name of its first parameter.
        runtime: Whether it takes `runtime` too.
        is_async: Whether it is a coroutine function.
        given: What else langgraph gives it, by name.
    """

    node: Function
    expression: cst.BaseExpression
    state: str
    runtime: bool
    is_async: bool
    given: tuple[str, ...]

    def arguments(self, call: AgentCall, runtime: str) -> str:
        """What follows the state in a call of the function."""
        named = [f"{name}={value}" for name, value in self.values(call, runtime).items()]
        return "".join(f", {text}" for text in ([runtime] if self.runtime else []) + named)

    def values(self, call: AgentCall, runtime: str) -> dict[str, str]:
        """Where middleware has what langgraph gave the function."""
        places = {"store": f"{runtime}.store", "writer": f"{runtime}.stream_writer"}
        return {name: places.get(name) or f"{call.name('langgraph.config', 'get_config')}()" for name in self.given}


def user_function(call: AgentCall, keyword: str, code: str, what: str) -> UserFunction:
    """Find the function given for an argument, and check that it can be called by middleware.

    Raises:
        Refused: It can't be seen from here, or takes what middleware has no equal for.
    """
    expression = call.arguments[keyword].value
    node = _made(call.source, call.source.value(expression))
    if not isinstance(node, (cst.FunctionDef, cst.Lambda)):
        raise Refused(code, f"{keyword}={brief(call.code(keyword))} is no {what} that this file shows")
    if isinstance(node, cst.FunctionDef) and node.decorators:
        raise Refused(code, f"{node.name.value} has a decorator, so what it takes and returns can't be seen")
    parameters = [*node.params.posonly_params, *node.params.params]
    if isinstance(expression, cst.Attribute) and call.source.scope(node).is_class:
        parameters = parameters[1:]
    only = list(node.params.kwonly_params)
    if not parameters or isinstance(node.params.star_arg, cst.Param) or node.params.star_kwarg:
        raise Refused(code, f"{_name(node)} does not take exactly the state")
    given = []
    for parameter in [*parameters[1:], *only]:
        name = parameter.name.value
        annotation = call.source.code(parameter.annotation.annotation) if parameter.annotation else ""
        if name in _GIVEN and annotation.split(".")[-1].replace(" | None", "").strip("\"'") in _GIVEN[name]:
            given.append(name)
        elif (name != "runtime" and parameter.default is None) or name in {*_GIVEN, "previous"}:
            raise Refused(code, f"{_name(node)} also takes {name}, which middleware is not given")
    positional = [p.name.value for p in parameters]
    if "runtime" in positional and positional.index("runtime") != 1:
        raise Refused(code, f"{_name(node)} does not take `runtime` second")
    if any(p.name.value == "runtime" for p in only):
        raise Refused(code, f"{_name(node)} takes `runtime` by keyword")
    if _is_generator(call.source, node):
        raise Refused(code, f"{_name(node)} is a generator")
    if not call.visible(expression):
        raise Refused(code, f"{_name(node)} can't be seen from a function put before this statement")
    is_async = isinstance(node, cst.FunctionDef) and node.asynchronous is not None
    return UserFunction(node, expression, positional[0], "runtime" in positional, is_async, tuple(given))


def _made(source: Source, node: cst.CSTNode) -> cst.CSTNode:
    """The function that a call of a factory returns, if it only ever returns one; else the node itself."""
    if not isinstance(node, cst.Call):
        return node
    factory = source.value(node.func)
    if not isinstance(factory, cst.FunctionDef) or factory.decorators or factory.asynchronous:
        return node
    found = {source.value(value) if value is not None else None for value in returned(source, factory)}
    made = found.pop() if len(found) == 1 else None
    return made if isinstance(made, (cst.FunctionDef, cst.Lambda)) else node


def names_in(node: cst.CSTNode) -> Iterator[cst.Name]:
    """Every name in a node, in the order of the source."""
    return (inner for inner in nodes(node) if isinstance(inner, cst.Name))


def hoist(call: AgentCall, function: UserFunction, name: str) -> str:
    """An expression that names the function from within a class or function put before the call.

    A lambda becomes a function of its own; a method is bound to a name first, as `self` means another
    object there.
    """
    if isinstance(function.node, cst.Lambda) and call.source.owns(function.node) and not function.given:
        local = call.fresh(name)
        parameters = call.source.code(function.node.params) or function.state
        call.before.append(f"def {local}({parameters}):\n    return {_flat(call, function.node.body)}\n")
        return local
    if not isinstance(function.expression, cst.Name) or not call.once(function.expression):
        local = call.fresh(name)
        call.before.append(f"{local} = {call.source.code(function.expression)}\n")
        return local
    return call.source.code(function.expression)


def _flat(call: AgentCall, body: cst.BaseExpression) -> str:
    code = call.source.code(body)
    return f"({code})" if "\n" in code and not body.lpar else code


def _is_generator(source: Source, function: Function) -> bool:
    return any(
        isinstance(node, cst.Yield) and source.enclosing(node, cst.FunctionDef) is function for node in nodes(function)
    )


def _name(function: Function) -> str:
    return function.name.value if isinstance(function, cst.FunctionDef) else "the lambda"


def brief(code: str) -> str:
    """Code on one line, short enough for a mark."""
    line = " ".join(code.split())
    return line if len(line) <= 40 else f"{line[:37]}..."
