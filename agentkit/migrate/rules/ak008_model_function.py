"""AK008: a model that is a function becomes `wrap_model_call` middleware."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, Refused
from agentkit.migrate.flows import returned
from agentkit.migrate.functions import UserFunction, hoist, user_function
from agentkit.migrate.source import Source

_CLASS = '''class {name}({base}):
    """Calls the model that `{function}` returns, with the tools it has bound."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(model={function}(request.state, request.runtime), tools=[]))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(model={function}(request.state, request.runtime), tools=[]))
'''


def apply(call: AgentCall) -> bool:
    """Rewrite a model function; say whether the model is one.

    Raises:
        Refused: The function has no exact rewrite.
    """
    value = call.value("model")
    followed = call.source.value(value) if value is not None else None
    if not isinstance(followed, (cst.FunctionDef, cst.Lambda)) or not call.source.owns(followed):
        return False
    if isinstance(followed, cst.FunctionDef) and followed.asynchronous is not None:
        raise Refused("AK008", f"{followed.name.value} is a coroutine function, and sync calls must be refused too")
    function = user_function(call, "model", "AK008", "function")
    if not function.runtime and len(function.node.params.params) < 2:
        raise Refused("AK008", "the model function does not take (state, runtime)")
    if call.llm_input:
        raise Refused("AK008", "the model function is given the hook's llm_input_messages as the conversation")
    base_model = _first_model(call, function)
    call.used("AK008")
    name = call.fresh("PickModel")
    base = call.name(MIDDLEWARE, "AgentMiddleware")
    expression = hoist(call, function, "pick_model")
    call.before.append(_CLASS.format(name=name, base=base, function=expression))
    call.rename("model", "model" if call.arguments["model"].keyword else "", cst.Name(base_model))
    call.add_middleware(f"{name}()", "")
    return True


def _first_model(call: AgentCall, function: UserFunction) -> str:
    for value in returned(call.source, function.node):
        for candidate in _roots(call.source, value):
            found = call.source.assignments(candidate, call.node)
            same = found and found == call.source.assignments(candidate)
            if same and call.source.visible_from(candidate.value, call.node):
                return candidate.value
    raise Refused("AK008", "create_agent needs a model to start with, and the function returns none that is named here")


def _roots(source: Source, value: cst.CSTNode | None) -> list[cst.Name]:
    """The names of the models that an expression may return, `.bind_tools(...)` and the like taken off."""
    if isinstance(value, cst.Name):
        followed = source.value(value)
        inner = _roots(source, followed) if isinstance(followed, (cst.IfExp, cst.Call)) else []
        return [value, *inner]
    if isinstance(value, cst.IfExp):
        return [*_roots(source, value.body), *_roots(source, value.orelse)]
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        return _roots(source, value.func.value) if value.func.attr.value == "bind_tools" else []
    return []
