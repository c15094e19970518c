"""How the legacy agent treats the runnable it is given as `model=` and the one given as `prompt=`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolMessage
from langchain_core.prompts import BasePromptTemplate
from langchain_core.runnables import Runnable, RunnableSequence
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.fallbacks import RunnableWithFallbacks
from langchain_core.tools import BaseTool
from langgraph.errors import ErrorCode, create_error_message
from pydantic import BaseModel

from agentkit._upstream import RunnableCallable
from agentkit.prebuilt._schemas import PROMPT_RUNNABLE_NAME, state_value

Model = Runnable[Any, Any]

# The steps of a sequence in which the chat model may be.
_HOLDS_MODEL = (BaseChatModel, RunnableBindingBase, RunnableWithFallbacks)


def get_prompt_runnable(prompt: Any) -> Runnable[Any, Any]:
    """Turn any form of `prompt=` into a runnable from the state to the model's input."""
    if prompt is None:
        return RunnableCallable(lambda state: state_value(state, "messages"), name=PROMPT_RUNNABLE_NAME)
    if isinstance(prompt, str | SystemMessage):
        system = prompt if isinstance(prompt, SystemMessage) else SystemMessage(prompt)
        return RunnableCallable(lambda state: [system, *state_value(state, "messages")], name=PROMPT_RUNNABLE_NAME)
    if isinstance(prompt, Runnable):
        return prompt
    if is_async(prompt):
        return RunnableCallable(None, prompt, name=PROMPT_RUNNABLE_NAME)
    if callable(prompt):
        return RunnableCallable(prompt, name=PROMPT_RUNNABLE_NAME)
    raise ValueError(
        f"`prompt` was given {type(prompt).__name__}: {prompt!r}. "
        "Give a string, a SystemMessage, a function of the state, or a Runnable."
    )


def prompt_input(prompt: Any, state: Any) -> Any:
    """Give a template the fields of a pydantic state: it takes a mapping, and reads anything else as one variable."""
    first = prompt
    while not isinstance(first, BasePromptTemplate) and isinstance(first, RunnableSequence | RunnableBindingBase):
        first = first.first if isinstance(first, RunnableSequence) else first.bound
    return dict(state) if isinstance(first, BasePromptTemplate) and isinstance(state, BaseModel) else state


def is_async(function: Any) -> bool:
    """Whether calling it gives a coroutine: an async function, or an object with an async `__call__`."""
    call = getattr(function, "__call__", None)  # noqa: B004 - the method itself is looked at
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def layers(model: Any) -> Iterator[Any]:
    """Walk from a runnable to the chat model inside it, through bindings, retries and sequences."""
    inner: Any = model
    while inner is not None:
        model = inner
        yield model
        if isinstance(model, RunnableSequence):
            inner = next((step for step in model.steps if isinstance(step, _HOLDS_MODEL)), None)
        elif isinstance(model, RunnableWithFallbacks):
            inner = model.runnable
        else:
            inner = getattr(model, "bound", None)


def get_model(model: Any) -> BaseChatModel:
    """Find the chat model inside a runnable.

    Raises:
        TypeError: If there is none.
    """
    innermost = list(layers(model))[-1]
    if not isinstance(innermost, BaseChatModel):
        raise TypeError(
            f"Expected `model` to be a ChatModel or RunnableBinding (e.g. model.bind_tools(...)), got {type(model)}"
        )
    return innermost


def should_bind_tools(model: Any, tools: Sequence[BaseTool], num_builtin: int = 0) -> bool:
    """Tell whether tools are still to be bound.

    Raises:
        ValueError: If other tools are bound than the agent has.
    """
    bound = next(
        (layer.kwargs["tools"] for layer in layers(model) if "tools" in (getattr(layer, "kwargs", None) or {})),
        None,
    )
    if bound is None:
        return True
    if len(tools) != len(bound) - num_builtin:
        raise ValueError(
            "Number of tools in the model.bind_tools() and tools passed to create_react_agent must match"
            f" Got {len(tools)} tools, expected {len(bound) - num_builtin}"
        )
    # OpenAI writes {"type": "function", "function": {"name": ...}}, Anthropic {"name": ...}.
    names = {(tool.get("function") or tool).get("name") for tool in bound}
    if missing := {tool.name for tool in tools} - names:
        raise ValueError(f"Missing tools '{missing}' in the model.bind_tools()")
    return False


def bind_tools(model: Any, tools: Sequence[Any], **settings: Any) -> Model:
    """Bind tools to the chat model inside a runnable and keep everything bound around it.

    `RunnableBinding.bind_tools` alone forwards to the chat model and loses the binding.
    """
    if isinstance(model, RunnableSequence):
        target = next(step for step in model.steps if isinstance(step, _HOLDS_MODEL))
        steps = [bind_tools(step, tools, **settings) if step is target else step for step in model.steps]
        return RunnableSequence(*steps, name=model.name)
    if isinstance(model, RunnableWithFallbacks):
        return model.model_copy(
            update={
                "runnable": bind_tools(model.runnable, tools, **settings),
                "fallbacks": [bind_tools(fallback, tools, **settings) for fallback in model.fallbacks],
            }
        )
    if hasattr(model, "bound"):
        kept = {key: value for key, value in model.kwargs.items() if key != "tools" and key not in settings}
        bound = bind_tools(model.bound, tools, **settings)
        return cast("Model", model.model_copy(update={"bound": bound, "kwargs": kept}))
    return cast("Model", model.bind_tools(tools, **settings))


def validate_chat_history(messages: Sequence[BaseMessage]) -> None:
    """Refuse a history in which a tool call has no answer.

    Raises:
        ValueError: If there is such a call. It names the first three.
    """
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    open_calls = [
        tool_call
        for message in messages
        if isinstance(message, AIMessage)
        for tool_call in message.tool_calls
        if tool_call["id"] not in answered
    ]
    if open_calls:
        raise ValueError(
            create_error_message(
                message="Found AIMessages with tool_calls that do not have a corresponding ToolMessage. "
                f"Here are the first few of those tool calls: {open_calls[:3]}.\n\n"
                "Every tool call (LLM requesting to call a tool) in the message history MUST have a "
                "corresponding ToolMessage (result of a tool invocation to return to the LLM) - this is "
                "required by most LLM providers.",
                error_code=ErrorCode.INVALID_CHAT_HISTORY,
            )
        )
