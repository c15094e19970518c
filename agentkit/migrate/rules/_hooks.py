"""What the two hook rules share."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, FunctionEdit, Refused
from agentkit.migrate.functions import UserFunction, hoist
from agentkit.migrate.rules.ak014_static_interrupts import keeps_threads

_FUNCTION = "@{decorator}\ndef {name}(state, runtime):\n    return {function}(state{arguments})\n"
_ASYNC = "@{decorator}\nasync def {name}(state, runtime):\n    return await {function}(state{arguments})\n"


def check(call: AgentCall, function: UserFunction, code: str) -> None:
    """Refuse a hook that pauses where threads outlive the process.

    Raises:
        Refused: A thread that a legacy agent left waiting in the hook's node could not be resumed.
    """
    pauses = "interrupt(" in call.source.code(function.node)
    if pauses and keeps_threads(call):
        raise Refused(code, "stored threads may wait in this hook, and its node gets another name")


def plain(call: AgentCall, function: UserFunction, keyword: str, decorator: str) -> None:
    """Make a hook a decorated function: the user's own where it serves this call alone, else one around it."""
    local = call.name(MIDDLEWARE, decorator)
    if call.editable(function.node):
        node = function.node
        assert isinstance(node, cst.FunctionDef)
        lines = tuple(f"{name} = {value}" for name, value in function.values(call, "runtime").items())
        runtime = "" if function.runtime else "runtime"
        call.functions.append(FunctionEdit(node, local, runtime, dropped=frozenset(function.given), lines=lines))
        name = node.name.value
    else:
        expression = hoist(call, function, f"{keyword}_function")
        name = call.fresh(keyword)
        template, arguments = _ASYNC if function.is_async else _FUNCTION, function.arguments(call, "runtime")
        call.before.append(template.format(decorator=local, name=name, function=expression, arguments=arguments))
    call.add_middleware(name, keyword)
    call.node_names[keyword] = f"{name}.{decorator}"
