"""The innermost check: a call that was changed after the gate let it through does not run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage

from agentkit.middleware import _replies as replies
from agentkit.middleware._policy import Policy
from agentkit.middleware._requests import names_of

# The calls a gate let through, by id, in the form it let them through.
_ADMITTED: ContextVar[dict[str, tuple[str, Mapping[str, Any]]] | None] = ContextVar("agentkit_admitted", default=None)


@contextmanager
def let_through(request: ToolCallRequest) -> Iterator[None]:
    """Note that a gate let this call through, for as long as it runs.

    Args:
        request: The call in the form that may run.

    Yields:
        Nothing.
    """
    call = request.tool_call
    form = (call["name"], deepcopy(call["args"]))
    token = _ADMITTED.set({**(_ADMITTED.get() or {}), call["id"] or "": form})
    try:
        yield
    finally:
        _ADMITTED.reset(token)


class ApprovalGuard(AgentMiddleware[Any, Any, Any]):
    """The last word before a tool runs: refuses a call that was changed after the gate let it through.

    The gate stands outermost, so that it reviews what all other middleware has made of the model's calls.
    This stands innermost, behind every other `wrap_tool_call`.

    Args:
        policy: The policy of the agent's gate.
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self.policy = policy

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Note the tools that other middleware added for this call, then call the model."""
        self.policy.register_tools(request.tools)
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Async twin of `wrap_model_call`."""
        self.policy.register_tools(request.tools)
        return await handler(request)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Run the call if it is the one that was let through, or needs no approval."""
        return self._refusal(request) or handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Async twin of `wrap_tool_call`."""
        return self._refusal(request) or await handler(request)

    def _refusal(self, request: ToolCallRequest) -> ToolMessage | None:
        call, tool, policy = request.tool_call, request.tool, self.policy
        names = names_of(request)
        if not any(policy.concerns(name, tool) for name in names):
            return None
        if len(names) > 1:  # another tool would run than the one that was reviewed
            return replies.unreviewed(call)
        by_rules = policy.evaluate_rules(call, tool)
        if by_rules.kind == "deny":
            return replies.denied(call, by_rules.reason)
        if (_ADMITTED.get() or {}).get(call["id"] or "") == (call["name"], call["args"]):
            return None
        ruling = policy.evaluate(call, lambda: request, tool)
        return None if ruling.kind == "free" else replies.unreviewed(call)
