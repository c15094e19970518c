"""What a tool is given beside the model's arguments, told by annotations alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool, InjectedToolCallId
from langchain_core.tools.base import get_all_basemodel_annotations
from langgraph.prebuilt.tool_node import InjectedState, InjectedStore, ToolRuntime

from agentkit import _upstream as up
from agentkit.prebuilt._tools import hints, parameters, per_tool


@dataclass(frozen=True)
class InjectedParameters:
    """The parameters of a tool that the model does not fill in.

    Attributes:
        state: The field of the state that each takes, None for the whole state.
        optional: Those of `state` that have a default where the field is missing.
        store: Those that take the store.
        runtime: Those that take the `ToolRuntime`.
        call_id: Those that take the id of the call.
        hidden: All of these and every other `InjectedToolArg`: what the model sends for them is dropped.
    """

    state: Mapping[str, str | None]
    optional: frozenset[str]
    store: tuple[str, ...]
    runtime: tuple[str, ...]
    call_id: tuple[str, ...]
    hidden: frozenset[str]

    def fill(self, call: ToolCall, runtime: Any, messages_key: str) -> ToolCall:
        """Put what is injected into a call.

        Args:
            call: The model's call.
            runtime: The `ToolRuntime` of the call.
            messages_key: The state key that holds the messages.

        Raises:
            ValueError: If the state is a list and fields are asked of it, or there is no store.
            KeyError: If the state, a dict, lacks a field.
            AttributeError: If the state, an object, lacks a field.
        """
        if not self.hidden:
            return call
        values = self._from_state(call["name"], runtime.state, messages_key) if self.state else {}
        if self.store and runtime.store is None:
            raise ValueError(
                "Cannot inject store into tools with InjectedStore annotations - "
                "please compile your graph with a store."
            )
        values |= dict.fromkeys(self.store, runtime.store) | dict.fromkeys(self.runtime, runtime)
        values |= dict.fromkeys(self.call_id, call["id"])
        sent = {name: value for name, value in call["args"].items() if name not in self.hidden}
        return {**call, "args": {**sent, **values}}

    def _from_state(self, tool: str, state: Any, messages_key: str) -> dict[str, Any]:
        if isinstance(state, list):
            fields = [field for field in self.state.values() if field and field != messages_key]
            if fields:
                raise ValueError(
                    f"Invalid input to ToolNode. Tool {tool} requires graph state dict as input. "
                    f"State should contain fields {', '.join(fields)}."
                )
            state = {messages_key: state}
        values: dict[str, Any] = {}
        for name, field in self.state.items():
            if field is None:
                values[name] = state
            elif isinstance(state, dict) and (field in state or name not in self.optional):
                values[name] = state[field]
            elif not isinstance(state, dict) and (hasattr(state, field) or name not in self.optional):
                values[name] = getattr(state, field)
        return values


@per_tool
def injected_parameters(tool: BaseTool) -> tuple[InjectedParameters, InjectedParameters]:
    """Read the annotations of a tool: those of its schema, and those of what will run.

    Args:
        tool: The tool.

    Returns:
        What is injected where `invoke` runs it, and where `ainvoke` does, which prefers `coroutine` or `_arun`.
    """
    schema = tool.get_input_schema()
    ways = _read(schema, _function_of(tool, is_async=False)), _read(schema, _function_of(tool, is_async=True))
    up.let_through(tool, frozenset(name for way in ways for name in way.hidden))
    return ways


def _read(schema: Any, function: Callable[..., Any]) -> InjectedParameters:
    annotations = {**hints(function), **get_all_basemodel_annotations(schema)}
    defaults = {name for name, field in getattr(schema, "model_fields", {}).items() if not field.is_required()}
    defaults |= {
        name for name, parameter in parameters(function).items() if parameter.default is not inspect.Parameter.empty
    }
    states = {name: up.injection(hint, InjectedState) for name, hint in annotations.items()}
    fields = {name: getattr(mark, "field", None) or None for name, mark in states.items() if mark}

    def marked(kind: Any) -> tuple[str, ...]:
        return tuple(name for name, hint in annotations.items() if up.injection(hint, kind))

    store, runtime, call_id = marked(InjectedStore), marked(ToolRuntime), marked(InjectedToolCallId)
    others = {name for name, hint in annotations.items() if up.is_injected(hint)}
    return InjectedParameters(
        state=fields,
        optional=frozenset(defaults & set(fields)),
        store=store,
        runtime=runtime,
        call_id=call_id,
        hidden=frozenset({*fields, *store, *runtime, *call_id, *others}),
    )


def _function_of(tool: BaseTool, *, is_async: bool) -> Callable[..., Any]:
    """What a tool runs: its function or coroutine, else its `_run` or `_arun`."""
    function, coroutine = getattr(tool, "func", None), getattr(tool, "coroutine", None)
    if function or coroutine:
        return (coroutine or function) if is_async else (function or coroutine)  # type: ignore[return-value]
    overridden = type(tool)._arun is not BaseTool._arun
    return tool._arun if is_async and overridden else tool._run
