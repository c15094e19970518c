"""The legacy agent's one separate call for a structured answer, after its loop."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.fallbacks import RunnableWithFallbacks
from langgraph.runtime import Runtime

from agentkit._upstream import RunnableCallable, config_in_context
from agentkit.prebuilt._middleware import SYNC_CALL_OF_ASYNC_MODEL, checked, resolve
from agentkit.prebuilt._models import get_model, is_async
from agentkit.prebuilt._schemas import state_value


def structured_response_node(model: Any, response_format: Any) -> RunnableCallable:
    """Make the node that fills `structured_response`.

    Args:
        model: The agent's model, or the function that returns it.
        response_format: The schema, or `(prompt, schema)`.

    Returns:
        The node.
    """
    dynamic = not isinstance(model, Runnable)
    system, schema = response_format if isinstance(response_format, tuple) else (None, response_format)

    def messages_of(state: Any) -> list[Any]:
        messages = list(state_value(state, "messages"))
        return messages if system is None else [SystemMessage(system), *messages]

    def generate_structured_response(state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        if dynamic and is_async(model):
            raise RuntimeError(SYNC_CALL_OF_ASYNC_MODEL)
        chosen = checked(model(state, runtime)) if dynamic else model
        return {"structured_response": _structured(chosen, schema).invoke(messages_of(state), config)}

    async def agenerate_structured_response(state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        with config_in_context(config):
            chosen = await resolve(model, state, runtime) if dynamic else model
            answer = await _structured(chosen, schema).ainvoke(messages_of(state), config)
        return {"structured_response": answer}

    return RunnableCallable(generate_structured_response, agenerate_structured_response)


def _structured(model: Any, schema: Any) -> Runnable[Any, Any]:
    if isinstance(model, RunnableWithFallbacks):
        # Each model of the chain is asked in turn, as it is for the agent's own answers.
        return model.model_copy(
            update={
                "runnable": _structured(model.runnable, schema),
                "fallbacks": [_structured(fallback, schema) for fallback in model.fallbacks],
            }
        )
    return get_model(model).with_structured_output(schema)
