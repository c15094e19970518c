"""The tool's start: a call runs once for each approval, and only in the form that was approved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp, GraphInterrupt

from agentkit.hitl._records import Attempt, Ended, HandlerCall, RecordLocation, Started, Steps, arun, form, run, start
from agentkit.middleware import _messages as messages
from agentkit.middleware._policy import Policy
from agentkit.middleware._requests import names_of

if TYPE_CHECKING:
    from agentkit.middleware._review import Review
    from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware


@dataclass(frozen=True)
class Approval:
    """What the gate let run.

    Attributes:
        form: The call in the form it may run in.
        at: The record of the person's decision, or None where no person was needed or nothing is stored.
        key: The key of the call in that record.
        rule: The permission rule behind the approval, with the paths that the call led to.
        again: Whether the tool may simply run again where it may have run before.
        review: Asks about a call that may have run.
    """

    form: str
    at: RecordLocation | None
    key: str | None
    rule: str
    again: bool
    review: Review


# The calls that gates let run, by tool-call id.
_APPROVALS: ContextVar[dict[str, Approval] | None] = ContextVar("agentkit_approvals", default=None)


def approved(request: ToolCallRequest, approval: Approval, handler: Callable[[Any], Any]) -> Steps[Any]:
    """Call the handler of a call that the gate lets run, and let the guard behind it see the approval."""
    token = _APPROVALS.set({**(_APPROVALS.get() or {}), request.tool_call["id"] or "": approval})
    try:
        return (yield HandlerCall(handler, request))
    finally:
        _APPROVALS.reset(token)


def run_once(request: ToolCallRequest, approval: Approval, handler: Callable[[Any], Any]) -> Steps[Any]:
    """Run a tool, unless the call was started before under the same approval.

    Args:
        request: The call in the form it may run in.
        approval: What the gate let run.
        handler: Runs the tool.

    Returns:
        The result, also that of a start before, or the message that stands for it.
    """
    at, key, call, task = approval.at, approval.key, request.tool_call, approval.review.task
    if at is None or key is None:
        task.drop_misdirected()
        return (yield HandlerCall(handler, request))
    while True:
        begun = yield from start(at, key, task.run_name, again=approval.again)
        if isinstance(begun, Attempt):
            break
        if isinstance(begun, Ended):
            return messages.not_repeated(call) if begun.result is None else begun.result
        if isinstance(begun, Started):
            decision = yield from approval.review.of_started(call, at, key, begun)
        else:
            decision = begun["decision"]
        if decision["type"] != "approve":
            return messages.decided(call, decision)
    task.drop_misdirected()
    try:
        result = yield HandlerCall(handler, request)
    except GraphInterrupt:  # the tool asks a person itself, and runs anew when it is answered
        yield from begun.end("interrupted")
        raise
    except GraphBubbleUp:  # it handed over to a graph above
        yield from begun.end("finished")
        raise
    except Exception:
        yield from begun.end("failed")
        raise
    else:
        yield from begun.end("finished", result)
        return result
    finally:
        begun.close()


class ApprovalGuard(AgentMiddleware[Any, Any, Any]):
    """The last word before a tool runs: only what the gate let run, in that form, and once.

    The gate stands outermost, so that it reviews what all other middleware has made of the model's calls.
    This stands innermost, behind every other `wrap_tool_call`.

    Args:
        gate: The agent's gate.
    """

    def __init__(self, gate: HumanInTheLoopMiddleware) -> None:
        super().__init__()
        self.policy = gate.policy
        gate.guarded = True

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Note the tools that other middleware added for this call, then call the model."""
        self.policy.register_tools(request.tools)
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Async twin of `wrap_model_call`."""
        self.policy.register_tools(request.tools)
        return await handler(request)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Run the call once, if it is the one that was let through or needs no approval."""
        return run(self._steps(request, handler))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Async twin of `wrap_tool_call`."""
        return await arun(self._steps(request, handler))

    def _steps(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Steps[Any]:
        call, policy = request.tool_call, self.policy
        names = names_of(request)
        if not any(policy.concerns(name, request.tool) for name in names):
            return (yield HandlerCall(handler, request))
        approval = (_APPROVALS.get() or {}).get(call["id"] or "")
        if approval is not None and approval.form != form(call):
            approval = None
        refusal = messages.unreviewed(call) if len(names) > 1 else refused(request, policy, approval)
        if refusal is not None:
            return refusal
        if approval is None:
            return (yield HandlerCall(handler, request))
        return (yield from run_once(request, approval, handler))


def refused(request: ToolCallRequest, policy: Policy, approval: Approval | None) -> ToolMessage | None:
    """Evaluate a call once more as it starts: a rule may judge its path otherwise now.

    Args:
        request: The call.
        policy: The policy of the gate.
        approval: What the gate let run, or None where it has not seen this call in this form.

    Returns:
        The message to give instead of running the tool, or None.
    """
    call, tool = request.tool_call, request.tool
    result = policy.evaluate_rules(call, tool)
    if approval is None and result.kind != "deny":
        result = policy.evaluate(call, lambda: request, tool)
    if result.kind == "deny":
        return messages.denied(call, result.reason)
    by_person = approval is not None and approval.key is not None and approval.rule == result.reason
    return messages.unreviewed(call) if result.kind == "ask" and not by_person else None
