"""AK005: `pre_model_hook=` becomes `before_model` middleware."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import MIDDLEWARE, AgentCall, Refused
from agentkit.migrate.flows import returned
from agentkit.migrate.functions import UserFunction, hoist, user_function
from agentkit.migrate.rules import _hooks
from agentkit.migrate.source import text_of

_STATE = '''class {state}({agent_state}):
    """What the model is sent in place of the conversation."""

    llm_input_messages: {not_required}[{annotated}[list[{any_message}], {private}]]
'''
_CLASS = '''class {name}({base}):
    """Sends the model the `llm_input_messages` that `{shown}` returns."""

    state_schema = {state}

{hook}

    def wrap_model_call(self, request, handler):
        messages = request.state.get("llm_input_messages") or request.messages
        return handler(request.override(messages=messages))

    async def awrap_model_call(self, request, handler):
        messages = request.state.get("llm_input_messages") or request.messages
        return await handler(request.override(messages=messages))
'''
_HOOK = "    def before_model(self, state, runtime):\n        return {function}(state{arguments})"
_RUNNABLE_HOOK = """    def before_model(self, state, runtime):
        return {function}.invoke(state)

    async def abefore_model(self, state, runtime):
        return await {function}.ainvoke(state)"""
_RUNNABLES = {"SummarizationNode", "RunnableLambda"}
_ASYNC_HOOK = "    async def abefore_model(self, state, runtime):\n        return await {function}(state{arguments})"


def apply(call: AgentCall) -> None:
    """Rewrite the hook.

    Raises:
        Refused: The hook has no exact rewrite.
    """
    if call.value("pre_model_hook") is None:
        return
    if _is_runnable(call):
        call.used("AK005")
        _with_input(call, None)
        return
    function = user_function(call, "pre_model_hook", "AK005", "function")
    call.used("AK005")
    _hooks.check(call, function, "AK005")
    if _may_set_input(call, function):
        _with_input(call, function)
    else:
        _hooks.plain(call, function, "pre_model_hook", "before_model")


def _is_runnable(call: AgentCall) -> bool:
    """Whether the hook is a Runnable whose class is known, such as langmem's SummarizationNode."""
    made = call.source.value(call.arguments["pre_model_hook"].value)
    name = call.source.imported(made.func).rpartition(".")[2] if isinstance(made, cst.Call) else ""
    return name in _RUNNABLES and call.visible(call.arguments["pre_model_hook"].value)


def _may_set_input(call: AgentCall, function: UserFunction) -> bool:
    """Whether the hook may return `llm_input_messages`: it does, or what it returns can't be seen."""
    for value in returned(call.source, function.node):
        if value is None or (isinstance(value, cst.Name) and value.value == "None"):
            continue
        if not isinstance(value, cst.Dict):
            return True
        keys = [text_of(e.key) if isinstance(e, cst.DictElement) else None for e in value.elements]
        if None in keys or "llm_input_messages" in keys:
            return True
    return False


def _with_input(call: AgentCall, function: UserFunction | None) -> None:
    if not call.source.is_global(call.use.binding.statement):
        raise Refused("AK005", "the hook's llm_input_messages need a state class, and the import is local")
    call.llm_input = True
    state = call.fresh("LLMInputState")
    call.after_import.append(
        _STATE.format(
            state=state,
            agent_state=call.name("langchain.agents", "AgentState"),
            not_required=call.name("typing_extensions", "NotRequired"),
            annotated=call.name("typing", "Annotated"),
            any_message=call.name("langchain_core.messages", "AnyMessage"),
            private=call.name("langchain.agents.middleware.types", "PrivateStateAttr"),
        )
    )
    if function is None:
        value = call.arguments["pre_model_hook"].value
        expression = call.source.code(value)
        if not isinstance(value, cst.Name) or not call.once(value):
            expression = call.fresh("pre_model_hook")
            call.before.append(f"{expression} = {call.source.code(value)}\n")
        hook = _RUNNABLE_HOOK.format(function=expression)
    else:
        expression, arguments = hoist(call, function, "pre_model_hook"), function.arguments(call, "runtime")
        hook = (_ASYNC_HOOK if function.is_async else _HOOK).format(function=expression, arguments=arguments)
    name = call.fresh("PreModelHook")
    base = call.name(MIDDLEWARE, "AgentMiddleware")
    call.before.append(_CLASS.format(name=name, base=base, shown=expression, state=state, hook=hook))
    call.add_middleware(f"{name}()", "pre_model_hook")
    call.node_names["pre_model_hook"] = f"{name}.before_model"
