"""The forms of `prompt=` as one runnable from the state to the model's input."""

from __future__ import annotations

import inspect
from typing import Any

from langchain_core.messages import SystemMessage
from langchain_core.prompts import BasePromptTemplate
from langchain_core.runnables import Runnable, RunnableSequence
from langchain_core.runnables.base import RunnableBindingBase
from pydantic import BaseModel

from agentkit._upstream import RunnableCallable, off_loop
from agentkit.prebuilt._schemas import PROMPT_RUNNABLE_NAME, state_value


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
        return RunnableCallable(prompt, off_loop(prompt), name=PROMPT_RUNNABLE_NAME)
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
