"""AK004: a prompt that is a function becomes middleware."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, FunctionEdit, Refused
from agentkit.migrate.flows import origins, returned
from agentkit.migrate.functions import UserFunction, hoist, names_in, user_function
from agentkit.migrate.rules.ak003_prompt_text import is_text
from agentkit.migrate.scopes import nodes
from agentkit.migrate.source import dotted, key_of, text_of

_CLASS = '''class {name}({base}):
    """Sends the model what `{shown}` returns."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(messages={function}({state}{runtime})))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(messages={function}({state}{runtime})))
'''
_ASYNC_CLASS = '''class {name}({base}):
    """Sends the model what `{shown}` returns."""

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(messages=await {function}({state}{runtime})))
'''
_TEMPLATE = '''class {name}({base}):
    """Sends the model what `{template}` makes of the state."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(messages={template}.invoke({state}).to_messages()))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(messages={template}.invoke({state}).to_messages()))
'''
_MUTATORS = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault"}


def apply(call: AgentCall) -> None:
    """Rewrite a prompt function.

    Raises:
        Refused: The function has no exact rewrite.
    """
    if _is_template(call):
        _call_template(call)
        return
    function = user_function(call, "prompt", "AK004", "text or function")
    if call.llm_input:
        raise Refused("AK004", "the prompt function is given the hook's llm_input_messages as the conversation")
    if any(is_text(call.source, value) for value in returned(call.source, function.node)):
        raise Refused("AK004", "the prompt function returns text, which takes the place of the whole conversation")
    if _changes_messages(call, function):
        raise Refused("AK004", "the prompt function changes the state in place")
    call.used("AK004")
    systems = _system_texts(call, function)
    if systems is not None and call.editable(function.node) and call.prompt_state == "request.state":
        _edit_in_place(call, function, systems)
        return
    runtime = function.arguments(call, "request.runtime")
    expression = hoist(call, function, "prompt")
    name = call.fresh("PromptMiddleware")
    template = _ASYNC_CLASS if function.is_async else _CLASS
    base = call.name(MIDDLEWARE, "AgentMiddleware")
    call.before.append(
        template.format(
            name=name, base=base, shown=expression, function=expression, state=call.prompt_state, runtime=runtime
        )
    )
    call.add_middleware(f"{name}()", "prompt")


def _edit_in_place(
    call: AgentCall, function: UserFunction, systems: dict[cst.BaseExpression, cst.BaseExpression]
) -> None:
    node = function.node
    assert isinstance(node, cst.FunctionDef)
    gone = {name for old in systems for name in names_in(old)}
    kept = {name for new in systems.values() for name in names_in(new)}
    read = {name.value for name in names_in(node.body) if name not in gone or name in kept}
    values = {function.state: "request.state", **function.values(call, "request.runtime")}
    if function.runtime:
        values["runtime"] = "request.runtime"
    text = all(_is_content(value) for value in systems.values())
    call.functions.append(
        FunctionEdit(
            node,
            call.name(MIDDLEWARE, "dynamic_prompt"),
            request=call.name(MIDDLEWARE, "ModelRequest"),
            dropped=frozenset(values),
            lines=tuple(f"{name} = {value}" for name, value in values.items() if name in read),
            returns=systems,
            result="str" if text else "",
        )
    )
    call.add_middleware(node.name.value, "prompt")


def _is_content(value: cst.BaseExpression) -> bool:
    return not isinstance(value, cst.Name)


def _is_template(call: AgentCall) -> bool:
    """Whether the prompt is a chat prompt template, as far as the files of the run show."""
    found = [o for o in origins(call.source, call.arguments["prompt"].value) if not isinstance(o, cst.Param)]
    return bool(found) and all(_makes_template(call, origin) for origin in found)


def _makes_template(call: AgentCall, node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.Call):
        return False
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "partial":
        found = [o for o in origins(call.source, node.func.value) if not isinstance(o, cst.Param)]
        return bool(found) and all(_makes_template(call, origin) for origin in found)
    origin = call.source.imported(node.func)
    return origin.startswith("langchain") and "ChatPromptTemplate" in origin.split(".")


def _call_template(call: AgentCall) -> None:
    value = call.arguments["prompt"].value
    if call.llm_input:
        raise Refused("AK004", "the prompt template is given the hook's llm_input_messages as the conversation")
    if not call.visible(value):
        raise Refused("AK004", "the prompt template can't be seen from a class put before this statement")
    call.used("AK004")
    local = call.source.code(value)
    if not isinstance(value, cst.Name) or not call.once(value):
        local = call.fresh("prompt_template")
        call.before.append(f"{local} = {call.source.code(value)}\n")
    name, base = call.fresh("PromptMiddleware"), call.name(MIDDLEWARE, "AgentMiddleware")
    call.before.append(_TEMPLATE.format(name=name, base=base, template=local, state=call.prompt_state))
    call.add_middleware(f"{name}()", "prompt")


def _system_texts(call: AgentCall, function: UserFunction) -> dict[cst.BaseExpression, cst.BaseExpression] | None:
    """The text of the system message by return expression; None where one returns anything else."""
    if isinstance(function.node, cst.Lambda):
        return None
    found = {}
    for value in returned(call.source, function.node):
        text = _system_text(call, value, function.state)
        if value is None or text is None:
            return None
        found[value] = text
    return found or None


def _changes_messages(call: AgentCall, function: UserFunction) -> bool:
    """Whether a prompt function changes the state, or the conversation in it, in place."""
    source = call.source

    def of_state(node: cst.CSTNode) -> bool:
        return any(name.value == function.state for origin in origins(source, node) for name in names_in(origin))

    changed: list[cst.CSTNode] = []
    for node in nodes(function.node):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _MUTATORS:
            changed.append(node.func.value)
        elif isinstance(node, (cst.AssignTarget, cst.Del)) and isinstance(node.target, cst.Subscript):
            changed.append(node.target.value)
        elif isinstance(node, cst.AugAssign):
            changed.append(node.target)
    return any(of_state(node) for node in changed)


def _system_text(call: AgentCall, value: cst.CSTNode | None, state: str) -> cst.BaseExpression | None:
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
        left, right = value.left, value.right
        if isinstance(left, cst.List) and len(left.elements) == 1 and _is_messages(call, right, state):
            return _content(call, left.elements[0].value)
    if isinstance(value, cst.List) and len(value.elements) == 2:
        first, second = value.elements
        if isinstance(second, cst.StarredElement) and _is_messages(call, second.value, state):
            return None if isinstance(first, cst.StarredElement) else _content(call, first.value)
    return None


def _content(call: AgentCall, message: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(message, cst.Call) and len(message.args) == 1 and not message.args[0].star:
        keyword = message.args[0].keyword
        origin = call.source.imported(message.func)
        if origin.endswith(".SystemMessage") and (keyword is None or keyword.value == "content"):
            return message.args[0].value
    if isinstance(message, cst.Name):
        made = call.source.value(message)
        system = isinstance(made, cst.Call) and call.source.imported(made.func).endswith(".SystemMessage")
        return message if system else None
    if isinstance(message, cst.Dict) and len(message.elements) == 2:
        pairs = {text_of(e.key): e.value for e in message.elements if isinstance(e, cst.DictElement)}
        if text_of(pairs.get("role")) == "system":
            return pairs.get("content")
    if isinstance(message, cst.Tuple) and len(message.elements) == 2:
        role, content = message.elements
        return content.value if text_of(role.value) == "system" else None
    return None


def _is_messages(call: AgentCall, node: cst.BaseExpression, state: str) -> bool:
    if isinstance(node, cst.Name):
        followed = call.source.value(node)
        return isinstance(followed, cst.Subscript) and _is_messages(call, followed, state)
    return isinstance(node, cst.Subscript) and dotted(node.value) == state and key_of(node) == "messages"
