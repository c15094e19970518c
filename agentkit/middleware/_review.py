"""One review: evaluate the calls of a turn, ask a person, and write down what was decided about each call."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from langchain.agents.middleware import ToolCallRequest
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage

from agentkit import _upstream as up
from agentkit.hitl._answers import ActionReview, AnswerError, read_answer, request_id_of
from agentkit.hitl._convert import DECISIONS, Decision
from agentkit.hitl._records import (
    Record,
    RecordLocation,
    Started,
    Steps,
    call_key,
    canonical,
    decide,
    digest,
    form,
    load,
    sentence_about,
)
from agentkit.middleware import _messages as messages
from agentkit.middleware._interrupts import Shown, Task
from agentkit.middleware._policy import FREE, Policy, PolicyResult
from agentkit.middleware._requests import answer_schema, edited_call, form_of, id_of, write_request

REVIEWS = "hitl_reviews"
"""The private state key of the review: `{"of": message id, "record": record id, "calls": {tool-call id: entry}}`."""

Entry = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Review:
    """What a review needs.

    Attributes:
        policy: Which calls need a person.
        schema: The schema of the requests.
        one_by_one: Whether each call has an interrupt of its own.
        per_call: Whether calls are reviewed as they start.
        prefix: The first line of a description that no gate gives.
        state: The agent's state.
        runtime: The runtime of the graph, or of the tool.
        task: The task that runs.
    """

    policy: Policy
    schema: str
    one_by_one: bool
    per_call: bool
    prefix: str
    state: Any
    runtime: Any
    task: Task

    def of_turn(self, message: AIMessage, later: Sequence[AnyMessage]) -> Steps[dict[str, Any] | None]:
        """Review the calls of a message as a whole (`batched`).

        Args:
            message: The latest AI message.
            later: The messages after it.

        Returns:
            The update of the state: the messages for calls that will not run, and the review. None where nothing was
            to review.
        """
        answered = {one.tool_call_id for one in later if isinstance(one, ToolMessage)}
        calls = [(n, call) for n, call in enumerate(message.tool_calls) if call["id"] not in answered]
        shown = yield from self.task.shown(message.tool_calls)
        asked = _asked_ids(shown, message.tool_calls)
        calls = [(n, call) for n, call in calls if call["id"] in asked or self.policy.concerns(call["name"])]
        if not calls:
            return None
        counts = Counter(call["id"] for call in message.tool_calls)
        entries: dict[str, Entry] = {}
        replies: list[ToolMessage] = []

        def reply(call: ToolCall, message: ToolMessage) -> None:
            if call["id"] not in entries:
                replies.append(message)
            entries[id_of(call)] = {"outcome": "answered", **form_of(call)}

        reviews: list[ActionReview] = []
        for position, call in calls:
            result = self._evaluate(call, shown, asked)
            if counts[id_of(call)] > 1:
                reply(call, messages.ambiguous(call))
            elif result is None:
                reply(call, messages.unreviewed(call))
            elif result.kind == "deny":
                reply(call, messages.denied(call, result.reason))
            elif result.kind == "free":
                entries[id_of(call)] = {"outcome": "free", **form_of(call)}
            else:
                reviews.append(self._action_review(call, result, call_key(message.id, position, call)))
        at = self.task.record_at()
        schema = "hitl" if self.schema == "tool_approval" else self.schema
        one_each = self.one_by_one or schema == "human_interrupt"
        turn = [review.id for review in reviews]
        decisions: list[Decision] = []
        for group in [[review] for review in reviews] if one_each else [reviews] if reviews else []:
            decisions += yield from self._ask(group, at, schema, turn if one_each else ())
        by_id = {call["id"]: call for _, call in calls}
        for review, decision in zip(reviews, decisions, strict=True):
            call = by_id[review.id]
            if decision["type"] in ("reject", "respond"):
                reply(call, messages.decided(call, decision))
            else:
                edit = {"edited": decision["edited_action"]} if decision["type"] == "edit" else {}
                rule = self.policy.evaluate_rules(edited_call(call, decision)).reason
                entries[review.id] = {"outcome": "approved", "key": review.key, "rule": rule, **form_of(call), **edit}
        review_of = {"of": message.id, "record": at.record_id if at else None, "calls": entries}
        return {"messages": [message, *replies], REVIEWS: review_of}

    def of_call(
        self, request: ToolCallRequest, message: AIMessage | None
    ) -> Steps[ToolMessage | tuple[Decision, str | None]]:
        """Review one call as it starts (`per_call`).

        Args:
            request: The call.
            message: The AI message it comes from, if there is one.

        Returns:
            An approve or edit decision and the key of the call if a person took it, or the message to give instead.
        """
        call = request.tool_call
        turn = [call] if message is None else message.tool_calls
        position = next((n for n, one in enumerate(turn) if one["id"] == call["id"]), 0)
        key = call_key(message.id if message else None, position, call)
        at = self.task.record_at()
        shown = yield from self.task.shown(turn)
        # The tool may have interrupted since, which takes the place of what the gate showed; the record stays.
        record = (yield from load(at)) if at is not None and shown is not None else Record()
        if record.decision(key) or call["id"] in _asked_ids(shown, [call]):
            result = PolicyResult("ask", self._allowed(call), self.policy.evaluate_rules(call, request.tool).reason)
        else:
            result = self.policy.evaluate(call, lambda: request, request.tool)
        if result.kind == "free":
            return {"type": "approve"}, None
        if result.kind == "deny":
            return messages.denied(call, result.reason)
        if sum(one["id"] == call["id"] for one in turn) > 1:
            return messages.ambiguous(call)
        if len(turn) > 1 and not self.task.was_sent_one_call:
            return messages.unreviewed(call)  # the interrupts of several calls in one task can't be told apart
        schema = self.schema if self.per_call or self.schema == "human_interrupt" else "tool_approval"
        review = self._action_review(call, result, key)
        decision = (yield from self._ask([review], at, schema, (), tool=request.tool))[0]
        return messages.decided(call, decision) if decision["type"] in ("reject", "respond") else (decision, key)

    def of_started(self, call: ToolCall, at: RecordLocation, key: str, started: Started) -> Steps[Decision]:
        """Ask about a call that was started and has not ended, so that it may have run.

        Args:
            call: The call in the form it was started in.
            at: Its record.
            key: Its key there.
            started: Its start.

        Returns:
            The decision.
        """
        sentence = sentence_about(call["name"], call["id"], dataclasses.asdict(started))
        text = f"{self.prefix}\n\n{sentence}\n\nTool: {call['name']}\nArgs: {call['args']}"
        review = ActionReview(
            id_of(call), call["name"], call["args"], ("approve", "reject", "respond"), text, sentence, key=key
        )
        blocked = f"{sentence} Its run is still going on here." if started.is_running else ""
        decisions = yield from self._ask([review], at, self.schema, (), attempt=started.number + 1, blocked=blocked)
        return decisions[0]

    def _ask(
        self,
        reviews: Sequence[ActionReview],
        at: RecordLocation | None,
        schema: Any,
        turn: Sequence[str],
        *,
        attempt: int = 0,
        tool: Any = None,
        blocked: str = "",
    ) -> Steps[list[Decision]]:
        """Interrupt for decisions, or return those taken. An answer that can't be taken leads to the next interrupt."""
        keys = [review.key for review in reviews]
        # Bound to the calls, and to where their paths lead: a link may be changed while a person decides.
        request_id = f"{at.record_id}-{digest(keys, attempt, [review.rule for review in reviews])}" if at else None
        shown = yield from self.task.shown(())
        covers = shown is not None and (
            shown.request_id == request_id if shown.request_id else _same_forms(shown, reviews)
        )
        has_value = shown is not None and bool(shown.forms) and self.task.has_resume_value
        if at is not None and shown is not None and not (has_value and covers):
            decided = _decided((yield from load(at)), keys, attempt)
            if decided is not None:
                return decided
        error = ""
        if has_value:
            value = yield from self.task.take_resume_value()
            if not covers or request_id_of(value) not in (None, request_id):
                error = (
                    "this answer is for another request, or for calls that were changed since; nothing was run by it."
                )
            elif blocked:
                error = blocked
            else:
                try:
                    decisions = self._read(value, reviews, tool)
                except AnswerError as problem:
                    error = str(problem)
                else:
                    error = yield from self._decide(at, reviews, decisions, attempt, value)
                    if not error:
                        return decisions
        yield from self.task.clear_resume_value()
        options: dict[str, Any] = {}
        if schema == "tool_approval" and up.INTERRUPT_TAKES_SCHEMA:
            options["response_schema"] = answer_schema(reviews[0], tool or self.policy.tool(reviews[0].name))
        described = [self._described(review) for review in reviews]
        answer = self.task.interrupt(
            write_request(schema, described, request_id=request_id, error=error, turn=turn), **options
        )
        return self._read(answer, reviews, tool)

    def _decide(
        self,
        at: RecordLocation | None,
        reviews: Sequence[ActionReview],
        decisions: Sequence[Decision],
        attempt: int,
        value: Any,
    ) -> Steps[str]:
        """Write the decisions down. Returns why they came too late, or an empty text."""
        if at is None:
            return ""
        calls = {
            review.key: {"id": review.id, "name": review.name, "args": review.args, "decision": decision}
            for review, decision in zip(reviews, decisions, strict=True)
        }
        by, note = (value.get("by"), value.get("note")) if isinstance(value, Mapping) else (None, None)
        record, won = yield from decide(at, calls, attempt, by, note)
        if won:
            return ""
        keys = list(calls)
        first = record.decided.get((keys[0], attempt))
        if first is None:
            return "another answer is being taken at this moment; this one was not taken and ran nothing."
        same = canonical(_decided(record, keys, attempt)) == canonical(list(decisions))
        begun = any((key, attempt) in record.started for key in keys)
        if same and not begun and not (yield from self.task.was_superseded()):
            return ""  # the run that took it ended before any of the calls started
        who = f" by {first['by']}" if first["by"] else ""
        return (
            f"{reviews[0]} was decided before ({first['decision']['type']}{who}, {first['at']}). "
            "This answer came later: it was not taken and ran nothing."
        )

    def _read(self, value: Any, reviews: Sequence[ActionReview], tool: Any) -> list[Decision]:
        decisions = read_answer(value, reviews)
        for review, decision in zip(reviews, decisions, strict=True):
            if decision["type"] == "edit":
                original = ToolCall(name=review.name, args=review.args, id=review.id, type="tool_call")
                edited = edited_call(original, decision)
                problem = self.policy.check_edit(
                    original,
                    decision["edited_action"],
                    partial(self._request, edited),
                    same_tool=self.per_call,
                    tool=tool,
                )
                if problem:
                    raise AnswerError(
                        f"the edit for {review} can't be taken: {problem}. Nothing was run; answer again."
                    )
        return decisions

    def _evaluate(self, call: ToolCall, shown: Shown | None, asked: frozenset[Any]) -> PolicyResult | None:
        """Evaluate a call. What was asked about before is asked about now; None for a gate that is newer than that."""
        if shown is None or not shown.forms:
            return self.policy.evaluate(call, partial(self._request, call))
        if call["id"] in asked:
            return PolicyResult("ask", self._allowed(call), self.policy.evaluate_rules(call).reason)
        if call["id"] in shown.forms or canonical([call["id"], form(call)]) not in shown.calls:  # it was changed since
            return self.policy.evaluate(call, partial(self._request, call))
        if self.policy.is_fixed(call["name"]):
            return None
        result = self.policy.evaluate_rules(call)
        return result if result.kind == "deny" else FREE

    def _allowed(self, call: ToolCall) -> tuple[str, ...]:
        gate = self.policy.gate_for(call["name"])
        return DECISIONS if gate is None else gate.allowed

    def _action_review(self, call: ToolCall, result: PolicyResult, key: str) -> ActionReview:
        return ActionReview(id_of(call), call["name"], call["args"], result.allowed, key=key, rule=result.reason)

    def _described(self, review: ActionReview) -> ActionReview:
        if review.may_have_run:
            return review
        gate = self.policy.gate_for(review.name)
        text = None if gate is None else gate.description
        if callable(text):
            call = ToolCall(name=review.name, args=review.args, id=review.id, type="tool_call")
            text = text(call, self.state, self.runtime)
        elif text is None:
            text = f"{self.prefix}\n\nTool: {review.name}\nArgs: {review.args}"
            text += f"\nRule: {review.rule}" if review.rule else ""
        return dataclasses.replace(review, description=text)

    def _request(self, call: ToolCall) -> ToolCallRequest:
        """The request a `when` function is given before the tools node has made one."""
        fields = {one.name for one in dataclasses.fields(ToolRuntime)}
        known = fields & {"execution_info", "server_info"}  # newer langgraph has them
        extra: dict[str, Any] = {name: getattr(self.runtime, name, None) for name in known}
        if "tools" in fields:
            extra["tools"] = list((self.policy.tools or {}).values())
        runtime: ToolRuntime[Any, Any] = ToolRuntime(
            state=self.state,
            context=self.runtime.context,
            config=self.task.config or {},
            stream_writer=self.runtime.stream_writer,
            tool_call_id=call["id"],
            store=self.runtime.store,
            **extra,
        )
        tool = self.policy.tool(call["name"])
        return ToolCallRequest(tool_call=call, tool=tool, state=self.state, runtime=cast(Any, runtime))


def _asked_ids(shown: Shown | None, calls: Sequence[ToolCall]) -> frozenset[Any]:
    """The calls that were asked about before and are still the same."""
    if shown is None:
        return frozenset()
    now = {call["id"]: call for call in calls}
    return frozenset(
        key
        for key in {*shown.forms, *shown.turn}
        if key in now
        and (
            shown.forms[key] == form(now[key])
            if key in shown.forms
            else canonical([key, form(now[key])]) in shown.calls
        )
    )


def _same_forms(shown: Shown, reviews: Sequence[ActionReview]) -> bool:
    now = {review.id: form({"name": review.name, "args": review.args}) for review in reviews}
    return shown.forms == now


def _decided(record: Record, keys: Sequence[str], attempt: int) -> list[Decision] | None:
    """The decisions about these calls, or None where one is missing."""
    found = [record.decided.get((key, attempt)) for key in keys]
    return [one["decision"] for one in found if one is not None] if keys and all(found) else None
