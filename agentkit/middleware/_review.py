"""One review: judge the calls of a turn, ask a person, and write down what holds for each call."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, cast

from langchain.agents.middleware import ToolCallRequest
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from pydantic import PlainValidator, WithJsonSchema

from agentkit import _upstream as up
from agentkit.hitl._answers import AnswerError, Asked, read_answer
from agentkit.hitl._convert import DECISIONS, Decision
from agentkit.middleware import _replies as replies
from agentkit.middleware._pauses import Pause, ask, has_read_answer, runs_alone
from agentkit.middleware._policy import FREE, Policy, PolicyResult
from agentkit.middleware._requests import (
    answer_schema,
    batched_request,
    edited_call,
    form_of,
    id_of,
    latest,
    legacy_request,
    single_request,
)

REVIEWS = "hitl_reviews"
"""The private state key of the record: `{"of": message id, "calls": {tool-call id: entry}}`."""


@dataclasses.dataclass(frozen=True)
class Turn:
    """The calls of the latest AI message that nothing has answered and the policy is concerned with.

    Attributes:
        message: The AI message.
        calls: The calls.
        clashing: Ids that several calls of the message share.
    """

    message: AIMessage
    calls: list[ToolCall]
    clashing: frozenset[str]


def open_calls(state: Mapping[str, Any]) -> list[ToolCall]:
    """Return the calls of the latest AI message that nothing has answered."""
    message, later = latest(state["messages"])
    if message is None:
        return []
    answered = {one.tool_call_id for one in later if isinstance(one, ToolMessage)}
    return [call for call in message.tool_calls if call["id"] not in answered]


def open_turn(state: Mapping[str, Any], policy: Policy, pause: Pause | None) -> Turn | None:
    """Return the calls of the latest AI message that need a look, or were asked about, or None."""
    message, _ = latest(state["messages"])
    if message is None:
        return None
    asked = frozenset() if pause is None else pause.ids
    calls = [call for call in open_calls(state) if call["id"] in asked or policy.concerns(call["name"])]
    counts = Counter(id_of(call) for call in calls)
    others = Counter(call["id"] for call in message.tool_calls)
    clashing = frozenset(key for key in counts if others[key] > 1)
    return Turn(message, calls, clashing) if calls else None


@dataclasses.dataclass(frozen=True)
class Review:
    """What a review needs to know.

    Attributes:
        policy: Which calls need a person.
        schema: The schema of the requests.
        prefix: The first line of a description that no gate gives.
        state: The agent's state.
        runtime: The runtime of the graph, or of the tool.
        config: The config of the task, or None outside a graph.
        pause: What this very task asked before it was interrupted, or None. The verdict of then holds now.
    """

    policy: Policy
    schema: str
    prefix: str
    state: Any
    runtime: Any
    config: RunnableConfig | None
    pause: Pause | None

    def of_turn(self, turn: Turn) -> dict[str, Any]:
        """Review a turn as a whole (`batched`).

        Args:
            turn: The calls.

        Returns:
            The update of the state: the messages for calls that will not run, and the record.
        """
        record: dict[str, dict[str, Any]] = {}
        messages: list[ToolMessage] = []
        questions: list[Asked] = []

        def reply(call: ToolCall, message: ToolMessage) -> None:
            if call["id"] not in record:
                messages.append(message)
            record[id_of(call)] = {"outcome": "answered", **form_of(call)}

        for call in turn.calls:
            ruling = self._rule(call)
            if call["id"] in turn.clashing:
                reply(call, replies.ambiguous(call))
            elif ruling is None:
                reply(call, replies.unreviewed(call))
            elif ruling.kind == "deny":
                reply(call, replies.denied(call, ruling.reason))
            elif ruling.kind == "free":
                record[id_of(call)] = {"outcome": "free", **form_of(call)}
            else:
                questions.append(self._question(call, ruling))
        calls = {id_of(call): call for call in turn.calls}
        for question, decision in zip(questions, self._ask(questions, calls), strict=True):
            call = calls[question.id]
            if decision["type"] in ("reject", "respond"):
                reply(call, replies.decided(call, decision))
            else:
                edit = {"edited": decision["edited_action"]} if decision["type"] == "edit" else {}
                record[question.id] = {"outcome": "approved", **form_of(call), **edit}
        return {"messages": [turn.message, *messages], REVIEWS: {"of": turn.message.id, "calls": record}}

    def of_call(self, request: ToolCallRequest, turn: Sequence[ToolCall]) -> ToolMessage | Decision:
        """Review one call as it starts (`per_call`).

        Args:
            request: The call.
            turn: All calls of the message it comes from.

        Returns:
            An approve or edit decision, or the message to give instead of running the tool.
        """
        call = request.tool_call
        # The tool may pause too, which takes the place of the gate's pause; the gate's answer is then kept.
        again = self.pause is not None or has_read_answer(self.config)
        ruling = self._asked(call) if again else self.policy.evaluate(call, lambda: request, request.tool)
        if ruling is None or ruling.kind == "free":
            return {"type": "approve"}
        if ruling.kind == "deny":
            return replies.denied(call, ruling.reason)
        if sum(one["id"] == call["id"] for one in turn) > 1:
            return replies.ambiguous(call)
        if len(turn) > 1 and not runs_alone(self.config):
            return replies.unreviewed(call)  # the pauses of several calls in one task can't be told apart
        question = self._question(call, ruling)

        def read(answer: object) -> Decision:
            decision = read_answer(answer, [question])[0]
            edited = edited_call(call, decision)
            self._check_edit(question, decision, lambda: request.override(tool_call=edited))
            return decision

        decision = self._ask_one(question, read, request, again)
        return replies.decided(call, decision) if decision["type"] in ("reject", "respond") else decision

    def _ask_one(
        self, question: Asked, read: Callable[[object], Decision], request: ToolCallRequest, again: bool
    ) -> Decision:
        if self._schema() == "human_interrupt":
            return ask(legacy_request(question, [question.id]), read, self.config, again=again)
        options: dict[str, Any] = {}
        if up.INTERRUPT_TAKES_SCHEMA:  # langgraph then refuses a wrong answer before it saves anything
            shown = answer_schema(question, request.tool or self.policy.tool(question.name))
            options["response_schema"] = Annotated[Any, PlainValidator(read), WithJsonSchema(shown)]
        return ask(single_request(question), read, self.config, again=again, **options)

    def _rule(self, call: ToolCall) -> PolicyResult | None:
        """Judge a call. Once the task has asked, the verdict of then holds; None for a gate newer than it."""
        if self.pause is None:
            return self.policy.evaluate(call, partial(self._request, call))
        if call["id"] in self.pause.ids:
            return self._asked(call)
        if self.policy.is_fixed(call["name"]):
            return None
        if self.pause.judged and call not in self.pause.judged:
            ruling = self.policy.evaluate(call, partial(self._request, call))
            return None if ruling.kind == "ask" else ruling
        by_rules = self.policy.evaluate_rules(call)
        return by_rules if by_rules.kind == "deny" else FREE

    def _asked(self, call: ToolCall) -> PolicyResult:
        gate = self.policy.gate_for(call["name"])
        return PolicyResult("ask", DECISIONS if gate is None else gate.allowed)

    def _schema(self) -> str:
        """A pause is answered in the schema it was asked in."""
        return self.schema if self.pause is None else self.pause.schema

    def _question(self, call: ToolCall, ruling: PolicyResult) -> Asked:
        gate = self.policy.gate_for(call["name"])
        text = None if gate is None else gate.description
        if callable(text):
            text = text(call, self.state, self.runtime)
        elif text is None:
            text = f"{self.prefix}\n\nTool: {call['name']}\nArgs: {call['args']}"
            text += f"\nRule: {ruling.reason}" if ruling.reason else ""
        return Asked(id_of(call), call["name"], call["args"], ruling.allowed, text)

    def _ask(self, questions: Sequence[Asked], calls: Mapping[str, ToolCall]) -> list[Decision]:
        def read(answer: object, questions: Sequence[Asked]) -> list[Decision]:
            decisions = read_answer(answer, questions)
            for question, decision in zip(questions, decisions, strict=True):
                edited = edited_call(calls[question.id], decision)
                self._check_edit(question, decision, partial(self._request, edited))
            return decisions

        if not questions:
            return []
        again = self.pause is not None
        if self._schema() == "hitl":
            request = batched_request(questions)
            return ask(request, partial(read, questions=questions), self.config, again=again)
        ids = [one.id for one in questions]
        answers: list[Decision] = []
        for one in questions:
            answers += ask(legacy_request(one, ids), partial(read, questions=[one]), self.config, again=again)
        return answers

    def _check_edit(self, question: Asked, decision: Decision, request: Callable[[], Any]) -> None:
        if decision["type"] != "edit":
            return
        original = {"name": question.name, "args": question.args}
        problem = self.policy.check_edit(original, decision["edited_action"], request)
        if problem:
            raise AnswerError(f"the edit for {question} can't be taken: {problem}. Nothing was run; answer again.")

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
            config=self.config or {},
            stream_writer=self.runtime.stream_writer,
            tool_call_id=call["id"],
            store=self.runtime.store,
            **extra,
        )
        tool = self.policy.tool(call["name"])
        return ToolCallRequest(tool_call=call, tool=tool, state=self.state, runtime=cast(Any, runtime))
