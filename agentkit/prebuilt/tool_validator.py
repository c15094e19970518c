"""`ValidationNode`, which checks tool calls without running them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, ToolCall
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agentkit._deprecation import warn_move
from agentkit._validation import CallValidator
from agentkit._validation import default_format_error as _default_format_error
from agentkit.prebuilt._schemas import state_value

__all__ = ["ValidationNode"]

# Imported from here by dependents.
_DEPENDED_ON = (_default_format_error,)


class ValidationNode(Runnable[Any, Any]):
    """A graph node that validates the tool calls of the last message and runs none of them.

    Replaces `langgraph.prebuilt.ValidationNode`. It differs where that one failed: a call of an unknown
    tool gets an error message (upstream: `KeyError`), injected parameters are not asked of the model, and
    error messages have `status="error"` beside `additional_kwargs["is_error"]`. Its own replacement on
    `create_agent` is `agentkit.middleware.ValidationMiddleware`.

    Args:
        schemas: What to validate with, by tool name: tools (their `args_schema`), pydantic classes (also
            of pydantic v1) or functions (their signature).
        format_error: A function of the error, the call and the schema that makes the error's text.
            Defaults to the error and a request to fix it.
        name: The node's name. Defaults to `"validation"`.
        tags: Kept on the node. Defaults to None.

    Raises:
        ValueError: If a schema is none of these, or a tool's `args_schema` is a JSON schema.

    Example:
        ```python
        class SelectNumber(BaseModel):
            a: int

        node = ValidationNode([SelectNumber])
        node.invoke([AIMessage("", tool_calls=[{"name": "SelectNumber", "args": {"a": "x"}, "id": "1"}])])
        # [ToolMessage("... Input should be a valid integer ...", status="error")]
        ```
    """

    def __init__(
        self,
        schemas: Sequence[BaseTool | type[BaseModel] | Callable[..., Any]],
        *,
        format_error: Callable[[BaseException, ToolCall, type[BaseModel]], str] | None = None,
        name: str = "validation",
        tags: list[str] | None = None,
    ) -> None:
        warn_move("ValidationNode")
        self.name: str | None = name
        self.tags = tags
        self._validator = CallValidator(schemas, format_error)
        self.schemas_by_name: dict[str, Any] = dict(self._validator.schemas_by_name)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Validate each tool call of the last message.

        Args:
            input: A list of messages, or a state with `messages`.
            config: The run's config. Defaults to None.
            **kwargs: Not used.

        Returns:
            One `ToolMessage` per call: the validated arguments as JSON, or the error. In a list for a
            list, else under `messages`.

        Raises:
            ValueError: If there is no message, or the last one is not an `AIMessage`.
        """
        messages = input if isinstance(input, list) else state_value(input, "messages")
        if not messages:
            raise ValueError("No message found in input")
        if not isinstance(messages[-1], AIMessage):
            raise ValueError("Last message is not an AIMessage")
        outputs = [self._validator.check(call) for call in messages[-1].tool_calls]
        return outputs if isinstance(input, list) else {"messages": outputs}

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Validate each tool call of the last message, as `invoke` does."""
        return self.invoke(input, config, **kwargs)
