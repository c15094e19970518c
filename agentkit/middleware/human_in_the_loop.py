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
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime, get_runtime
from typing_extensions import NotRequired

from agentkit.hitl._convert import DECISIONS, Decision
from agentkit.middleware import _replies as replies
from agentkit.middleware._claims import aclaim, arelease, claim, release
from agentkit.middleware._guard import let_through
from agentkit.middleware._pauses import (
    Pause,
    aasked_before,
    aretire_answer,
    asked_before,
    is_answered,
    read_channel,
    require_saver,
    retire_answer,
    running,
)
from agentkit.middleware._policy import FREE, Policy, check_gates, check_names
from agentkit.middleware._requests import edited_call, latest, names_of
from agentkit.middleware._review import REVIEWS, Review, Turn, open_calls, open_turn
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
            pause is then a list of one `HumanInterrupt`, one call after the other.

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
        interrupt_on: Mapping[str, Any] | None = None,
        *,
        permissions: FileRules | Sequence[Any] | None = None,
        tools: Sequence[Any] | None = None,
        description_prefix: str = "Tool execution requires approval",
        edit_notice: str | None = replies.EDIT_NOTICE,
        interrupt_mode: Literal["batched", "per_call"] = "batched",
        schema: Literal["hitl", "human_interrupt"] = "hitl",
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
            ValueError: If a gated name is none of theirs.
        """
        if check:
            check_names(self.policy.gates, [tool.name for tool in tools])
        self.policy.set_tools(tools)

    # After the model: the review.

    def after_model(
        self,
        state: AgentState[Any],
        runtime: Runtime[Any],
        config: Optional[RunnableConfig] = None,  # noqa: UP045 - the form langgraph injects
    ) -> dict[str, Any] | None:
        """Pause for the calls of the turn that need a person.

        Args:
            state: The agent's state.
            runtime: The runtime of the graph.
            config: The config of the task, which langgraph passes in.

        Returns:
            The messages that stand for calls that will not run, and the record of the review.

        Raises:
            AnswerError: If the answer can't be taken. Nothing ran; answer again.
            ValueError: If nothing can keep a pause.
        """
        with running(config) as current:
            calls = self._open(state, current)
            pause = asked_before(current, calls) if calls else None
            turn = self._turn(state, pause)
            if turn is None:
                return _forget(state)
            try:
                update = self._review(state, runtime, current, pause).of_turn(turn)
                if pause is not None:
                    claim(current)
                return update
            finally:
                retire_answer(current)

    async def aafter_model(
        self,
        state: AgentState[Any],
        runtime: Runtime[Any],
        config: Optional[RunnableConfig] = None,  # noqa: UP045 - the form langgraph injects
    ) -> dict[str, Any] | None:
        """Async twin of `after_model`."""
        with running(config) as current:
            calls = self._open(state, current)
            pause = await aasked_before(current, calls) if calls else None
            turn = self._turn(state, pause)
            if turn is None:
                return _forget(state)
            try:
                update = self._review(state, runtime, current, pause).of_turn(turn)
                if pause is not None:
                    await aclaim(current)
                return update
            finally:
                await aretire_answer(current)

    def _open(self, state: Mapping[str, Any], config: RunnableConfig | None) -> list[ToolCall]:
        """The calls this task may have asked about: also those the policy of today lets go."""
        message, _ = latest(state["messages"])
        if message is None or not message.tool_calls:
            return []
        if self.policy.can_ask:
            require_saver(config)
        return open_calls(state) if is_answered(config) or self._turn(state, None) is not None else []

    def _turn(self, state: Mapping[str, Any], pause: Pause | None) -> Turn | None:
        # Per call, each call asks for itself when it starts.
        if self.interrupt_mode == "per_call" and pause is None:
            return None
        return open_turn(state, self.policy, pause)

    def _review(self, state: Any, runtime: Any, config: RunnableConfig | None, pause: Pause | None) -> Review:
        return Review(self.policy, self.schema, self.description_prefix, state, runtime, config, pause)

    # At the tools: nothing that is not approved in exactly its form gets past.

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Run a call in the form it was approved in, or say why it does not run.

        Args:
            request: The call as it reached the tools.
            handler: Runs it.

        Returns:
            The tool's result, or the message that stands for it.

        Raises:
            AnswerError: In `per_call` mode, if the answer can't be taken.
        """
        config = _config_of(request)
        with running(config) as current:
            looks = self.interrupt_mode == "per_call" or is_answered(current)
            pause = asked_before(current, [request.tool_call]) if looks else None
            asks = self._asks_here(request, pause)
            try:
                admitted = self._admit(request, pause, current)
                if pause is not None:
                    claim(current)
            finally:
                if asks:
                    retire_answer(current)
        if isinstance(admitted, ToolMessage):
            return admitted
        request, edited = admitted
        try:
            with let_through(request):
                result = handler(request)
        except GraphBubbleUp:
            raise
        except Exception:
            if pause is not None:
                with running(config) as current:
                    release(current)
            raise
        return replies.with_notice(result, request.tool_call, self.edit_notice) if edited else result

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Async twin of `wrap_tool_call`."""
        config = _config_of(request)
        with running(config) as current:
            looks = self.interrupt_mode == "per_call" or is_answered(current)
            pause = await aasked_before(current, [request.tool_call]) if looks else None
            asks = self._asks_here(request, pause)
            try:
                admitted = self._admit(request, pause, current)
                if pause is not None:
                    await aclaim(current)
            finally:
                if asks:
                    await aretire_answer(current)
        if isinstance(admitted, ToolMessage):
            return admitted
        request, edited = admitted
        try:
            with let_through(request):
                result = await handler(request)
        except GraphBubbleUp:
            raise
        except Exception:
            if pause is not None:
                with running(config) as current:
                    await arelease(current)
            raise
        return replies.with_notice(result, request.tool_call, self.edit_notice) if edited else result

    def _asks_here(self, request: ToolCallRequest, pause: Pause | None) -> bool:
        concerned = self.interrupt_mode == "per_call" and self.policy.concerns(request.tool_call["name"], request.tool)
        return concerned or pause is not None

    def _admit(
        self, request: ToolCallRequest, pause: Pause | None, config: RunnableConfig | None
    ) -> ToolMessage | tuple[ToolCallRequest, bool]:
        """Decide about one call: the request to run and whether it was edited, or what to say instead."""
        call, names = request.tool_call, names_of(request)
        if len(names) > 1 and any(self.policy.concerns(name, request.tool) for name in names):
            return replies.unreviewed(call)  # another tool would run than the one that was reviewed
        done = self._result_of(request, config)
        if done is not None:
            return done
        if self._asks_here(request, pause):
            message, _ = latest(_messages(request, config))
            # A description is given the runtime of the graph, as after the model, not that of the tool.
            runtime = get_runtime() if config is not None else request.runtime
            review = self._review(request.state, runtime, config, pause)
            decision = review.of_call(request, [] if message is None else message.tool_calls)
        else:
            decision = self._reviewed(request, config)
        if isinstance(decision, ToolMessage):
            return decision
        if decision["type"] == "edit":
            request = self._redirect(request, edited_call(call, decision))
        by_rules = self.policy.evaluate_rules(request.tool_call, request.tool)
        if by_rules.kind == "deny":
            return replies.denied(request.tool_call, by_rules.reason)
        return request, decision["type"] == "edit"

    def _result_of(self, request: ToolCallRequest, config: RunnableConfig | None) -> ToolMessage | None:
        """The result a gated call has already: its answer, or what it returned when it ran before."""
        if not self.policy.concerns(request.tool_call["name"], request.tool):
            return None
        _, later = latest(_messages(request, config))
        for message in later:
            if isinstance(message, ToolMessage) and message.tool_call_id == request.tool_call["id"]:
                return message
        return None

    def _reviewed(self, request: ToolCallRequest, config: RunnableConfig | None) -> ToolMessage | Decision:
        """Look up what the review after the model decided about this very call."""
        call = request.tool_call
        record = read_channel(config, REVIEWS) or _from_state(request.state, REVIEWS) or {}
        message, _ = latest(_messages(request, config))
        entry = record.get("calls", {}).get(call["id"])
        if message is None or record.get("of") != message.id or entry is None:
            return self._unrecorded(request)
        if (entry["name"], entry["args"]) != (call["name"], call["args"]) or entry["outcome"] == "answered":
            return replies.unreviewed(call)
        if "edited" in entry:
            return {"type": "edit", "edited_action": entry["edited"]}
        return {"type": "approve"}

    def _unrecorded(self, request: ToolCallRequest) -> ToolMessage | Decision:
        """Judge a call that no review has seen: it may run only if it needs none."""
        call, tool = request.tool_call, request.tool
        ruling = self.policy.evaluate(call, lambda: request, tool) if self.policy.concerns(call["name"], tool) else FREE
        if ruling.kind == "deny":
            return replies.denied(call, ruling.reason)
        return {"type": "approve"} if ruling.kind == "free" else replies.unreviewed(call)

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


def _forget(state: Mapping[str, Any]) -> dict[str, Any] | None:
    """Drop the record of an earlier turn, so that it can't be taken for this one's."""
    return {REVIEWS: {}} if state.get(REVIEWS) else None


def _config_of(request: ToolCallRequest) -> RunnableConfig | None:
    return getattr(request.runtime, "config", None) or None


def _messages(request: ToolCallRequest, config: RunnableConfig | None) -> list[Any]:
    found = read_channel(config, "messages") or _from_state(request.state, "messages")
    return found if isinstance(found, list) else []


def _from_state(state: Any, name: str) -> Any:
    return state.get(name) if isinstance(state, Mapping) else getattr(state, name, None)
