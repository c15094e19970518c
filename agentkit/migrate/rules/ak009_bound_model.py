"""AK009: a model with something bound becomes the model and its settings."""

from __future__ import annotations

import ast

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, Refused
from agentkit.migrate.flows import origins
from agentkit.migrate.functions import brief
from agentkit.migrate.source import Source

_CLASS = '''class {name}({base}):
    """Calls the model with what was bound to it."""

    def wrap_model_call(self, request, handler):
        request = request.override({settings})
        return handler(request)

    async def awrap_model_call(self, request, handler):
        request = request.override({settings})
        return await handler(request)
'''
_WRAPPERS = {
    "bind_tools",
    "bind",
    "with_config",
    "with_retry",
    "with_fallbacks",
    "with_structured_output",
    "pipe",
}


def apply(call: AgentCall) -> None:
    """Rewrite a bound model.

    Raises:
        Refused: What was bound has no exact rewrite.
    """
    value = call.value("model")
    bound = call.source.value(value) if value is not None else None
    for origin in origins(call.source, value) if value is not None else []:
        if _is_special(call, origin) and not call.source.owns(origin):
            function = isinstance(origin, (cst.FunctionDef, cst.Lambda))
            kind = "a function" if function else "a model with something bound"
            raise Refused("AK009", f"{brief(call.code('model'))} comes from a file where it is {kind}")
        if origin is not bound and _is_special(call, origin):
            raise Refused("AK009", f"{brief(call.code('model'))} is not always a plain chat model, as this file shows")
    if isinstance(bound, cst.Call) and _wraps(call, bound):
        raise Refused("AK009", f"{brief(call.code('model'))} is made of a model with something bound")
    if _is_pipe(bound):
        raise Refused("AK009", "the model is a chain")
    if isinstance(bound, cst.Call) and _is_callable(call, bound):
        raise Refused("AK009", "the model is a Runnable or a callable object")
    if not isinstance(bound, cst.Call) or not isinstance(bound.func, cst.Attribute):
        return
    method = bound.func.attr.value
    if method not in _WRAPPERS:
        return
    if method not in {"bind_tools", "bind"}:
        raise Refused("AK009", f"the model was made with {method}(), which create_agent does not keep")
    model = bound.func.value
    if any(isinstance(part, cst.Call) and _method(part) in _WRAPPERS for part in _chain(call.source, model)):
        raise Refused("AK009", f"more than {method}() was done to the model")
    seen = value is bound or _same_here(call, model)
    alone = not seen and _serves_alone(call, value)
    if not seen and not alone:
        raise Refused("AK009", f"the model under {method}() is no name that this call sees")
    settings = _settings(call, bound, method)
    call.used("AK009")
    if alone:
        call.values[bound] = model
    else:
        call.rename("model", "model" if call.arguments["model"].keyword else "", model)
    if settings:
        name = call.fresh("ModelSettings")
        base = call.name(MIDDLEWARE, "AgentMiddleware")
        call.before.append(_CLASS.format(name=name, base=base, settings=settings))
        call.add_middleware(f"{name}()", "")


def _is_special(call: AgentCall, node: cst.CSTNode) -> bool:
    return (
        isinstance(node, (cst.FunctionDef, cst.Lambda))
        or _is_pipe(node)
        or (
            isinstance(node, cst.Call)
            and (_method(node) in _WRAPPERS or _is_callable(call, node) or _wraps(call, node))
        )
    )


def _is_pipe(node: cst.CSTNode | None) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr)


def _wraps(call: AgentCall, node: cst.Call) -> bool:
    """Whether something that no file of the run shows is made of a bound model or a chain."""
    if isinstance(call.source.value(node.func), (cst.FunctionDef, cst.Lambda)) or _method(node) in _WRAPPERS:
        return False
    return any(
        _is_pipe(origin) or (isinstance(origin, cst.Call) and _method(origin) in _WRAPPERS)
        for argument in node.args
        if not argument.star
        for origin in origins(call.source, argument.value)
    )


def _is_callable(call: AgentCall, node: cst.Call) -> bool:
    """Whether an expression makes a Runnable, a partial, or an object of a class with `__call__` alone."""
    origin = call.source.imported(node.func)
    made = call.source.value(node.func)
    return (
        origin.split(".")[-1].startswith("Runnable")
        or origin == "functools.partial"
        or (
            isinstance(made, cst.ClassDef)
            and not made.bases
            and any(isinstance(part, cst.FunctionDef) and part.name.value == "__call__" for part in made.body.body)
        )
    )


def _settings(call: AgentCall, bound: cst.Call, method: str) -> str:
    """The arguments of `override()` that keep what was bound; "" for none."""
    code = call.source.code
    tools: str | None = None
    pairs: dict[str, str] = {}
    for place, argument in enumerate(bound.args):
        if argument.star:
            raise Refused("AK009", f"what was bound is hidden in {argument.star}{code(argument.value)}")
        keyword = argument.keyword.value if argument.keyword else ""
        if keyword == "tools" or (not keyword and place == 0 and method == "bind_tools"):
            tools = code(argument.value)
        elif not keyword or not _constant(call, argument.value):
            raise Refused("AK009", f"{code(argument.value)} is bound to the model, and is no constant or name")
        else:
            pairs[keyword] = code(argument.value)
    own = call.code("tools") if "tools" in call.arguments else "[]"
    if tools is not None and (method == "bind" or not _same_tools(call, tools, own)):
        raise Refused("AK009", f"the model has other tools bound ({' '.join(tools.split())}) than the agent")
    parts = []
    choice = pairs.pop("tool_choice", None) if method == "bind_tools" else None
    if pairs:
        parts.append("model_settings={" + ", ".join(f'"{key}": {text}' for key, text in pairs.items()) + "}")
    if choice:
        parts.append(f"tool_choice={choice}")
    return ", ".join(parts)


def _same_tools(call: AgentCall, bound: str, own: str) -> bool:
    def plain(text: str) -> str:
        return ast.dump(ast.parse(f"({text}\n)", mode="eval"))  # without layout and comments

    if plain(bound) == plain(own):
        return True
    followed = [call.source.value(a) for a in (call.arguments["tools"].value,)] if "tools" in call.arguments else []
    return any(plain(call.source.code(node)) == plain(bound) for node in followed)


def _constant(call: AgentCall, value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Name):
        return call.source.visible_from(value.value, call.node) and call.once(value)
    if isinstance(value, (cst.List, cst.Tuple)):
        return all(_constant(call, element.value) for element in value.elements)
    if isinstance(value, cst.Dict):
        return all(isinstance(e, cst.DictElement) and _constant(call, e.value) for e in value.elements)
    return isinstance(value, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float, cst.UnaryOperation))


def _serves_alone(call: AgentCall, value: cst.BaseExpression | None) -> bool:
    """Whether a name is there for this call alone, so that what it holds may change."""
    binding = call.source.binding(value) if value is not None else None
    if binding is None or len(binding.scope.names[binding.name]) > 1 or not call.source.owns(binding.node):
        return False
    used_elsewhere = call.source.is_global(binding.node) and call.options.named & {"*", binding.name}
    return len(binding.references) == 1 and not used_elsewhere and not call.value("response_format")


def _same_here(call: AgentCall, model: cst.BaseExpression) -> bool:
    return isinstance(model, cst.Name) and call.source.assignments(model, call.node) == call.source.assignments(model)


def _method(node: cst.Call) -> str:
    return node.func.attr.value if isinstance(node.func, cst.Attribute) else ""


def _chain(source: Source, node: cst.BaseExpression) -> list[cst.CSTNode]:
    followed = source.value(node)
    if isinstance(followed, cst.Call) and isinstance(followed.func, cst.Attribute):
        return [followed, *_chain(source, followed.func.value)]
    return [followed]
