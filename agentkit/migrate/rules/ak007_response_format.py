"""AK007: `response_format=` becomes an `after_agent` call."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, Refused
from agentkit.migrate.flows import origins
from agentkit.migrate.rules.ak003_prompt_text import is_text
from agentkit.migrate.source import dotted, text_of

_CLASS = '''class {name}({base}):
    """Ends the run with one structured call to the model."""

    def after_agent(self, state, runtime):
        structured = {model}.with_structured_output({schema})
        return {{"structured_response": structured.invoke({messages})}}

    async def aafter_agent(self, state, runtime):
        structured = {model}.with_structured_output({schema})
        return {{"structured_response": await structured.ainvoke({messages})}}
'''


def apply(call: AgentCall) -> None:
    """Rewrite the response format.

    Raises:
        Refused: It has no exact rewrite.
    """
    value = call.value("response_format")
    if value is None:
        return
    followed = call.source.value(value)
    if "AK007" in call.apply:
        _as_tool_strategy(call, followed)
        return
    if isinstance(followed, cst.Tuple) and len(followed.elements) == 2 and _pair(call, value, followed):
        return
    seen = [] if isinstance(followed, cst.Param) else origins(call.source, value)  # a parameter stays anyway
    if any(isinstance(origin, cst.Tuple) for origin in seen):
        raise Refused("AK007", "response_format is a (prompt, schema) pair")
    if not isinstance(followed, (cst.ClassDef, cst.Dict)) and not isinstance(value, (cst.Name, cst.Attribute)):
        raise Refused("AK007", f"response_format={call.code('response_format')} is no schema that this file shows")
    if isinstance(followed, (cst.Param, cst.Call)):
        raise Refused("AK007", f"response_format={call.code('response_format')} may be a (prompt, schema) pair")
    if not call.visible(value):
        raise Refused("AK007", "the schema can't be seen from a class put before this statement")
    call.used("AK007")
    schema = call.code("response_format")
    if not isinstance(value, (cst.Name, cst.Attribute)) or not call.once(value):
        local = call.fresh("response_schema")
        call.before.append(f"{local} = {schema}\n")
        schema = local
    _end(call, schema, 'state["messages"]')


def _pair(call: AgentCall, value: cst.BaseExpression, pair: cst.Tuple) -> bool:
    """Rewrite a `(prompt, schema)` pair that can be read where the class stands."""
    if not call.source.owns(pair) or not call.visible(value):
        return False
    call.used("AK007")
    local = call.fresh("response_prompt"), call.fresh("response_schema")
    call.before.append(f"{', '.join(local)} = {call.source.code(value)}\n")
    system = call.name("langchain_core.messages", "SystemMessage")
    _end(call, local[1], f'[{system}({local[0]}), *state["messages"]]')
    return True


def _end(call: AgentCall, schema: str, messages: str) -> None:
    name = call.fresh("StructuredResponse")
    base = call.name(MIDDLEWARE, "AgentMiddleware")
    call.before.append(_CLASS.format(name=name, base=base, model=_model(call), schema=schema, messages=messages))
    call.add_middleware(f"{name}()", "response_format")
    call.node_names["generate_structured_response"] = f"{name}.after_agent"


def _model(call: AgentCall) -> str:
    """A name for the model that the class can see."""
    given = call.arguments["model"]
    keyword, value = call.replaced.get("model") or ("model" if given.keyword else "", given.value)
    if text_of(value) is not None:
        return _started(call, call.source.code(value))
    if not call.visible(value):
        raise Refused("AK007", "the model can't be seen from a class put before this statement")
    name = value.value if isinstance(value, cst.Name) else ""
    if not isinstance(value, cst.Name) or not call.once(value):
        name = call.fresh("model")
        call.before.append(f"{name} = {call.source.code(value)}\n")
        call.replaced["model"] = (keyword, cst.Name(name))
    return _maybe_text(call, name, value)


def _maybe_text(call: AgentCall, name: str, value: cst.BaseExpression) -> str:
    """A name for a model that may be given as text."""
    followed = call.source.value(value)
    annotation = followed.annotation if isinstance(followed, cst.Param) else None
    text = call.source.code(annotation.annotation) if annotation else ""
    if isinstance(followed, cst.SimpleString) or text == "str":
        return _started(call, name)
    if "str" in text or any(_may_be_text(call, origin) for origin in origins(call.source, value)):
        return _started(call, name, f" if isinstance({name}, str) else {name}")
    return name


def _may_be_text(call: AgentCall, node: cst.CSTNode) -> bool:
    """Whether an expression is text, or is read from somewhere that may hold text."""
    if is_text(call.source, node) or isinstance(node, cst.Subscript):
        return True
    return isinstance(node, cst.Attribute) and dotted(node).split(".")[0] not in {"self", "cls"}


def _started(call: AgentCall, text: str, otherwise: str = "") -> str:
    """A variable that holds the model of a `provider:name` text."""
    local, init = call.fresh("structured_model"), call.name("langchain.chat_models", "init_chat_model")
    call.before.append(f"{local} = {init}({text}){otherwise}\n")
    return local


def _as_tool_strategy(call: AgentCall, followed: cst.CSTNode) -> None:
    call.used("AK007")
    if isinstance(followed, cst.Tuple) and len(followed.elements) == 2:
        schema = call.source.code(followed.elements[1].value)
    else:
        schema = call.code("response_format")
    strategy = call.name("langchain.agents.structured_output", "ToolStrategy")
    call.rename("response_format", "response_format", cst.parse_expression(f"{strategy}({schema})"))
    call.notes.append(("AK007", "structured output is now a tool call of the model's: check the messages"))
