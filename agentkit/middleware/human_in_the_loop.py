"""Approvals that never fail open: langchain's human-in-the-loop middleware, made strict."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ToolCallRequest
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangchainHumanInTheLoopMiddleware
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langchain_core.tools import tool as make_tool
from langgraph.runtime import Runtime, get_runtime
from typing_extensions import NotRequired

from agentkit.hitl._convert import DECISIONS, Decision
from agentkit.hitl._records import Steps, arun, form, run
from agentkit.middleware import _messages as messages
from agentkit.middleware._guard import Approval, approved, refused, run_once
from agentkit.middleware._interrupts import Task, current
from agentkit.middleware._policy import InterruptOn, Policy, check_gates
from agentkit.middleware._requests import edited_call, latest, names_of
from agentkit.middleware._review import REVIEWS, Review
from agentkit.permissions import FileRules, as_rules


class ReviewState(AgentState[Any]):
    """The agent's state plus what was decided about the calls of the latest turn."""

    hitl_reviews: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


class HumanInTheLoopMiddleware(LangchainHumanInTheLoopMiddleware[Any, Any, Any]):
    """Pause an agent so that a person can review tool calls before they run, and never fail open.

    It replaces langchain's middleware of the same name: same arguments, same requests
    (`HITLRequest`, `ToolApprovalRequest`) and same answers, on every supported langchain. It differs in
    this: entries are checked when it is built; a `when` that returns anything but `False` pauses, and its
    verdict holds on resume; an edit is judged as the call it becomes; a call that was rejected, answered,
    changed after the review or never reviewed does not run, whatever other middleware does; a pause that
    nothing can keep is an error; a wrong answer is a clear error after which the right one still works.
    Requests carry one more key, `tool_call_ids`, and answers may be keyed by those ids or come in the
    legacy `HumanResponse` form.

    Args:
        interrupt_on: Tool name or pattern (`"delete_*"`, `"*"`) to `True` (approve, edit, reject,
            respond), `False` (free) or a config with `allowed_decisions` and, optionally, `description`
            and `when`. The most specific entry wins. Default: none.
        permissions: `FilesystemPermission` rules, or `FileRules`. Default None.
        tools: The agent's tools. With them a name that no tool has is refused here, otherwise at the
            first model call. Default None.
        description_prefix: The first line of descriptions that no config gives.
        edit_notice: What the model is told on top of the result of an edited call. None adds nothing.
        interrupt_mode: `"batched"` (default, one pause for a turn) or `"per_call"` (one for each call, as
            it starts).
        schema: `"hitl"` (default), or `"human_interrupt"` for inbox front-ends of the legacy schema: each
            interrupt is then a list of one `HumanInterrupt`, one call after the other.
        one_by_one: Whether each call has an interrupt of its own, for front-ends that answer one action at a
            time. Default False. The legacy schema always does.

    Raises:
        ValueError: If an entry would not gate what it says.

    Example:
        ```python
        agent = create_agent(
            model,
            tools=[send_email, delete_file],
            middleware=[HumanInTheLoopMiddleware({"delete_*": True}, tools=[send_email, delete_file])],
            checkpointer=InMemorySaver(),
        )
        ```
    """

    state_schema = ReviewState  # type: ignore[assignment]

    def __init__(
        self,
        interrupt_on: InterruptOn | None = None,
        *,
        permissions: FileRules | Sequence[Any] | None = None,
        tools: Sequence[Any] | None = None,
        description_prefix: str = "Tool execution requires approval",
        edit_notice: str | None = messages.EDIT_NOTICE,
        interrupt_mode: Literal["batched", "per_call"] = "batched",
        schema: Literal["hitl", "human_interrupt"] = "hitl",
        one_by_one: bool = False,
    ) -> None:
        AgentMiddleware.__init__(self)  # langchain's own checks differ from release to release
        _check_choice("interrupt_mode", interrupt_mode, ("batched", "per_call"))
        _check_choice("schema", schema, ("hitl", "human_interrupt"))
        gates = check_gates(interrupt_on or {})
        self.given: dict[str, Any] = dict(interrupt_on or {})
        self.policy: Policy = Policy(gates, as_rules(permissions))
        if tools is not None:
            self.set_tools([as_tool(one) for one in tools if not isinstance(one, dict)])
        self.interrupt_on: dict[str, Any] = {
            name: cast(Any, {"allowed_decisions": list(DECISIONS)} if entry is True else dict(entry))
            for name, entry in (interrupt_on or {}).items()
            if entry is not False
        }
        self.description_prefix = description_prefix
        self.edit_notice = edit_notice
        self.interrupt_mode = interrupt_mode
        self.schema = schema
        self.one_by_one = one_by_one
        self.guarded = False  # an `ApprovalGuard` behind this gate starts the tools

    # The model: only to learn which tools there are, where nobody said so.

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Check the gated names against the tools the model is given, then call the model."""
        self._learn(request.tools)
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Async twin of `wrap_model_call`."""
        self._learn(request.tools)
        return await handler(request)

    def _learn(self, tools: Sequence[Any]) -> None:
        if self.policy.tools is None:
            self.set_tools([tool for tool in tools if isinstance(tool, BaseTool)])

    def set_tools(self, tools: Sequence[BaseTool], *, check: bool = True) -> None:
        """Tell the gate which tools its agent has, where they are not known when it is built.

        Args:
            tools: All tools of the agent.
            check: Whether every gated name must be one of theirs. Default True.

        Raises:
            ValueError: If a gated name is none of theirs, or a rule can't hold for one of them.
        """
        self.policy.set_tools(tools, check=check)

    # After the model: the review.

    def after_model(
        self,
        state: AgentState[Any],
        runtime: Runtime[Any],
        config: Optional[RunnableConfig] = None,  # noqa: UP045 - the form langgraph injects
    ) -> dict[str, Any] | None:
        """Interrupt for the calls of the turn that need a person.

        Args:
            state: The agent's state.
            runtime: The runtime of the graph.
            config: The config of the task, which langgraph passes in.

        Returns:
            The messages that stand for calls that will not run, and the review.

        Raises:
            ValueError: If nothing can keep an interrupt.
        """
        with current(config) as found:
            return run(self._after_model(state, runtime, Task(found)))

    async def aafter_model(
        self,
        state: AgentState[Any],
        runtime: Runtime[Any],
        config: Optional[RunnableConfig] = None,  # noqa: UP045 - the form langgraph injects
    ) -> dict[str, Any] | None:
        """Async twin of `after_model`."""
        with current(config) as found:
            return await arun(self._after_model(state, runtime, Task(found)))

    def _after_model(self, state: Any, runtime: Any, task: Task) -> Steps[dict[str, Any] | None]:
        message, later = latest(state["messages"])
        update: dict[str, Any] | None = None
        if message is not None and message.tool_calls:
            if self.policy.can_ask:
                task.require_saver()
            # Also where a gate of the other mode has asked: what it asked about is asked about now.
            if self.interrupt_mode == "batched" or (yield from task.shown(message.tool_calls)):
                update = yield from self._review(state, runtime, task).of_turn(message, later)
        # The review of an earlier turn can't be taken for this one's.
        return update or ({REVIEWS: {}} if state.get(REVIEWS) else None)

    def _review(self, state: Any, runtime: Any, task: Task) -> Review:
        per_call = self.interrupt_mode == "per_call"
        schema = "tool_approval" if per_call and self.schema == "hitl" else self.schema
        return Review(self.policy, schema, self.one_by_one, per_call, self.description_prefix, state, runtime, task)

    # At the tools: nothing that is not approved in exactly its form gets past.

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Run a call in the form it was approved in, once, or say why it does not run.

        Args:
            request: The call as it reached the tools.
            handler: Runs it.

        Returns:
            The tool's result, or the message that stands for it.
        """
        with current(_config_of(request)) as found:
            return run(self._tool_call(request, handler, Task(found)))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Async twin of `wrap_tool_call`."""
        with current(_config_of(request)) as found:
            return await arun(self._tool_call(request, handler, Task(found)))

    def _tool_call(self, request: ToolCallRequest, handler: Callable[[Any], Any], task: Task) -> Steps[Any]:
        call, names = request.tool_call, names_of(request)
        concerned = any(self.policy.concerns(name, request.tool) for name in names)
        if concerned and len(names) > 1:
            return messages.unreviewed(call)  # another tool would run than the one that was reviewed
        if concerned and (done := self._message_of(request, task)) is not None:
            return done
        # A description is given the runtime of the graph, as after the model, not that of the tool.
        runtime = get_runtime() if task.config is not None else request.runtime
        review = self._review(request.state, runtime, task)
        if (yield from self._asks_here(task, call, concerned)):
            message, _ = latest(_messages(request, task))
            decided = yield from review.of_call(request, message)
            record_id = rule = None
        else:
            decided, record_id, rule = self._reviewed(request, task, concerned)
        if isinstance(decided, ToolMessage):
            return decided
        decision, key = decided
        edited = decision["type"] == "edit"
        if edited:
            request = self._redirect(request, edited_call(call, decision))
        call = request.tool_call
        gate = self.policy.gate_for(call["name"])
        again = gate is not None and gate.on_restart == "run"
        if rule is None:
            rule = self.policy.evaluate_rules(call, request.tool).reason if concerned else ""
        approval = Approval(form(call), task.record_at(record_id) if key else None, key, rule, again, review)
        refusal = refused(request, self.policy, approval) if concerned else None
        if refusal is not None:
            return refusal
        if self.guarded:
            result = yield from approved(request, approval, handler)
        else:
            result = yield from run_once(request, approval, handler)
        return messages.with_notice(result, call, self.edit_notice) if edited else result

    def _asks_here(self, task: Task, call: ToolCall, concerned: bool) -> Steps[bool]:
        """Whether this call is reviewed as it starts: in `per_call` mode, or where this task has asked before."""
        if self.interrupt_mode == "per_call" and concerned:
            return True
        shown = (yield from task.shown([call])) if task.has_resume_value else None
        return shown is not None and call["id"] in shown.forms and not shown.may_have_run

    def _message_of(self, request: ToolCallRequest, task: Task) -> ToolMessage | None:
        """The message that stands for a call already."""
        _, later = latest(_messages(request, task))
        for message in later:
            if isinstance(message, ToolMessage) and message.tool_call_id == request.tool_call["id"]:
                return message
        return None

    def _reviewed(
        self, request: ToolCallRequest, task: Task, concerned: bool
    ) -> tuple[ToolMessage | tuple[Decision, str | None], str | None, str | None]:
        """Look up what the review after the model decided about this very call, in which record, by which rule."""
        call = request.tool_call
        review = task.read_channel(REVIEWS) or _from_state(request.state, REVIEWS) or {}
        message, _ = latest(_messages(request, task))
        entry = review.get("calls", {}).get(call["id"])
        if message is None or review.get("of") != message.id or entry is None:
            return self._not_reviewed(request, concerned), None, None
        if form(entry) != form(call) or entry["outcome"] == "answered":
            return messages.unreviewed(call), None, None
        decision = {"type": "edit", "edited_action": entry["edited"]} if "edited" in entry else {"type": "approve"}
        return (decision, entry.get("key")), review.get("record"), entry.get("rule")

    def _not_reviewed(self, request: ToolCallRequest, concerned: bool) -> ToolMessage | tuple[Decision, str | None]:
        """Evaluate a call that no review has seen: it may run only if it needs none."""
        refusal = refused(request, self.policy, None) if concerned else None
        return ({"type": "approve"}, None) if refusal is None else refusal

    def _redirect(self, request: ToolCallRequest, call: ToolCall) -> ToolCallRequest:
        if call["name"] == request.tool_call["name"]:
            return request.override(tool_call=call)
        tools = getattr(request.runtime, "tools", None) or (self.policy.tools or {}).values()
        tool = next((one for one in tools if one.name == call["name"]), None)
        return request.override(tool_call=call, tool=cast(BaseTool, tool))


def as_tool(one: Any) -> BaseTool:
    """Return a tool, or the tool that a plain function becomes."""
    return one if isinstance(one, BaseTool) else cast(BaseTool, make_tool(one))


def _check_choice(argument: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{argument} must be {' or '.join(map(repr, choices))}, got {value!r}.")


def _config_of(request: ToolCallRequest) -> RunnableConfig | None:
    return getattr(request.runtime, "config", None) or None


def _messages(request: ToolCallRequest, task: Task) -> list[Any]:
    found = task.read_channel("messages") or _from_state(request.state, "messages")
    return found if isinstance(found, list) else []


def _from_state(state: Any, name: str) -> Any:
    return state.get(name) if isinstance(state, Mapping) else getattr(state, name, None)
