"""AK007: `response_format=` becomes an `after_agent` call."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, Refused
from agentkit.migrate.rules._rule import Rule
from agentkit.migrate.source import text_of

RULE = Rule(
    code="AK007",
    title="response_format=",
    text=(
        "The legacy agent ends with one separate call, `model.with_structured_output(schema)`, over the whole "
        "conversation. `create_agent(response_format=...)` means something else: ToolStrategy gives the model "
        "one more tool and forces it to call tools, ProviderStrategy changes every call. So the exact rewrite "
        "is an `after_agent` middleware that makes that one call. A `(prompt, schema)` pair stays on the shim."
    ),
    before="agent = create_react_agent(model, tools, response_format=City)\n",
    after=(
        "class StructuredResponse(AgentMiddleware):\n"
        '    """Ends the run with one structured call to the model."""\n\n'
        "    def after_agent(self, state, runtime):\n"
        "        structured = model.with_structured_output(City)\n"
        '        return {"structured_response": structured.invoke(state["messages"])}\n\n'
        "    async def aafter_agent(self, state, runtime):\n"
        "        structured = model.with_structured_output(City)\n"
        '        return {"structured_response": await structured.ainvoke(state["messages"])}\n'
        "agent = create_agent(model, tools, middleware=[StructuredResponse()])\n"
    ),
    offered=(
        "`--apply AK007` writes `response_format=ToolStrategy(schema)` instead, for a pair too: fewer calls, "
        "but other messages."
    ),
)

_CLASS = '''class {name}({base}):
    """Ends the run with one structured call to the model."""

    def after_agent(self, state, runtime):
        structured = {model}.with_structured_output({schema})
        return {{"structured_response": structured.invoke(state["messages"])}}

    async def aafter_agent(self, state, runtime):
        structured = {model}.with_structured_output({schema})
        return {{"structured_response": await structured.ainvoke(state["messages"])}}
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
    if isinstance(followed, cst.Tuple):
        raise Refused("AK007", "response_format is a (prompt, schema) pair")
    if not isinstance(followed, (cst.ClassDef, cst.Dict)) and not isinstance(value, (cst.Name, cst.Attribute)):
        raise Refused("AK007", f"response_format={call.code('response_format')} is no schema that this file shows")
    if isinstance(followed, (cst.Param, cst.Call)):
        raise Refused("AK007", f"response_format={call.code('response_format')} may be a (prompt, schema) pair")
    if not call.visible(value):
        raise Refused("AK007", "the schema can't be seen from a class put before this statement")
    call.used("AK007")
    schema = call.code("response_format")
    if not isinstance(value, (cst.Name, cst.Attribute)):
        local = call.fresh("response_schema")
        call.before.append(f"{local} = {schema}\n")
        schema = local
    name = call.fresh("StructuredResponse")
    base = call.name(MIDDLEWARE, "AgentMiddleware")
    call.before.append(_CLASS.format(name=name, base=base, model=_model(call), schema=schema))
    call.add_middleware(f"{name}()", "response_format")
    call.node_names["generate_structured_response"] = f"{name}.after_agent"


def _model(call: AgentCall) -> str:
    """A name for the model that the class can see."""
    keyword, value = call.replaced.get("model") or ("model", call.arguments["model"].value)
    if text_of(value) is not None:
        return _started(call, call.source.code(value))
    if not call.visible(value):
        raise Refused("AK007", "the model can't be seen from a class put before this statement")
    if isinstance(value, cst.Name) and isinstance(call.source.value(value), (cst.SimpleString, cst.Param)):
        return _maybe_text(call, value)
    if isinstance(value, cst.Name):
        return value.value
    local = call.fresh("model")
    call.before.append(f"{local} = {call.source.code(value)}\n")
    call.replaced["model"] = (keyword, cst.Name(local))
    return local


def _maybe_text(call: AgentCall, value: cst.Name) -> str:
    """A name for a model that may be given as text."""
    followed = call.source.value(value)
    annotation = followed.annotation if isinstance(followed, cst.Param) else None
    text = call.source.code(annotation.annotation) if annotation else ""
    if isinstance(followed, cst.SimpleString) or text == "str":
        return _started(call, value.value)
    if "str" in text:
        return _started(call, value.value, f" if isinstance({value.value}, str) else {value.value}")
    return value.value


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
