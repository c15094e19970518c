"""Validate tool calls before they run, and ask the model again a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime
from pydantic import BaseModel

from agentkit._validation import CallValidator

__all__ = ["ToolCallsInvalidError", "ValidationMiddleware"]


class ToolCallsInvalidError(ValueError):
    """The model was told what is wrong as often as allowed, and its calls are still not valid."""


class ValidationMiddleware(AgentMiddleware[Any, Any]):
    """Answers tool calls that do not fit a schema with the error, before any tool sees them.

    Replaces a `ValidationNode` with a loop around it. Calls of the same message that are valid run;
    calls of tools without a schema here are left alone. The model is asked again at most `max_retries`
    times in a row; the count is read from the messages, so that it survives a restart.

    Args:
        schemas: Tools, pydantic classes or functions, by whose names calls are matched.
        max_retries: How often in a row the model may be asked again. Defaults to 2.
        format_error: A function of the error, the call and the schema that makes the error's text.
            Defaults to the error and a request to fix it.

    Raises:
        ValueError: If `max_retries` is negative or a schema is of an unknown kind.

    Example:
        ```python
        class Transfer(BaseModel):
            amount: int = Field(le=100)

        agent = create_agent(model, [transfer], middleware=[ValidationMiddleware([Transfer])])
        ```
    """

    tools: Sequence[BaseTool] = ()

    def __init__(
        self,
        schemas: Sequence[BaseTool | type[BaseModel] | Callable[..., Any]],
        *,
        max_retries: int = 2,
        format_error: Callable[[BaseException, ToolCall, Any], str] | None = None,
    ) -> None:
        super().__init__()
        if max_retries < 0:
            raise ValueError(f"`max_retries` was given {max_retries}. Give 0 or more.")
        self.max_retries = max_retries
        self._validator = CallValidator(schemas, format_error)

    def after_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Answer the calls that are not valid.

        Args:
            state: The agent's state.
            runtime: The run's context.

        Returns:
            The error messages, or None where every call is valid.

        Raises:
            ToolCallsInvalidError: If the model was asked again `max_retries` times already.
        """
        messages = state["messages"]
        last = messages[-1]
        if not isinstance(last, AIMessage):
            return None
        known = (call for call in last.tool_calls if call["name"] in self._validator.schemas_by_name)
        errors = [answer for answer in map(self._validator.check, known) if answer.status == "error"]
        if not errors:
            return None
        if _retries(messages[:-1]) >= self.max_retries:
            told = "\n".join(f"- {error.name} ({error.tool_call_id}): {error.content}" for error in errors)
            raise ToolCallsInvalidError(
                f"The model's tool calls are still not valid after {self.max_retries} retries:\n{told}"
            )
        return {"messages": errors}


def _retries(messages: Sequence[AnyMessage]) -> int:
    """Count how many turns in a row, up to the end, had a call that was answered as not valid."""
    count, has_error = 0, False
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            has_error = has_error or bool(message.additional_kwargs.get("is_error"))
        elif isinstance(message, AIMessage) and has_error:
            count, has_error = count + 1, False
        else:
            break
    return count
