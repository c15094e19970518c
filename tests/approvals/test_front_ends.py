"""docs/approvals-front-ends.md: what public front-ends send is taken, or asked again with the reason.

Each payload is written as the front-end's source builds it from the request.
"""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.testing import ScriptedChatModel, call

from .conftest import Tools

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Server:
    """An agent behind a front-end: it sees the value of an interrupt and sends a bare resume value."""

    def __init__(self, *calls: Any, **gate: Any) -> None:
        self.tools = Tools()
        middleware = HumanInTheLoopMiddleware({"send": True}, **gate)
        model = ScriptedChatModel(script=[list(calls), "done"])
        self.agent = create_agent(model, self.tools.all, middleware=[middleware], checkpointer=InMemorySaver())
        self.result = self.agent.invoke({"messages": [("user", "go")]}, CONFIG)

    @property
    def request(self) -> Any:
        return self.result["__interrupt__"][0].value

    def send(self, payload: Any) -> None:
        self.result = self.agent.invoke(Command(resume=payload), CONFIG)

    @property
    def ran(self) -> list[Any]:
        return [x for _, x in self.tools.ran]

    @property
    def is_done(self) -> bool:
        return "__interrupt__" not in self.result

    def message(self, call_id: str) -> str:
        return next(m.content for m in self.result["messages"] if getattr(m, "tool_call_id", None) == call_id)


def agent_inbox(request: Any, kind: str, args: Any = None) -> Any:
    """agent-inbox, and agent-chat-ui before it read `HITLRequest`: one response, for the first of the list."""
    first = request[0]
    assert set(first["config"]) == {"allow_accept", "allow_edit", "allow_ignore", "allow_respond"}
    action = first["action_request"]
    if kind == "accept":  # an edit without edits is sent as an accept that carries the action
        return [{"type": "accept", "args": action}]
    if kind == "edit":
        return [{"type": "edit", "args": {**action, "args": args}}]
    return [{"type": kind, "args": args}]


def agent_inbox_normalised(request: Any, kind: str, args: Any = None) -> Any:
    """agent-inbox versions that read `HITLRequest`: today's types around the inbox's `args`."""
    action = {"action": request["action_requests"][0]["name"], "args": request["action_requests"][0]["args"]}
    if kind == "edit":
        return {"decisions": [{"type": "edit", "args": {**action, "args": args}}]}
    return {"decisions": [{"type": kind, "args": action if kind == "approve" else args}]}


def agent_chat_ui(request: Any, *decisions: Any) -> Any:
    """agent-chat-ui: one decision for each action."""
    assert {"action_requests", "review_configs"} <= set(request)
    assert len(decisions) == len(request["action_requests"])
    return {"decisions": list(decisions)}


def deep_agents_ui(request: Any, decision: Any) -> Any:
    """deep-agents-ui: one decision for the first action."""
    assert request["action_requests"]
    return {"decisions": [decision]}


ONE, TWO = call("send", "c1", x=1), call("send", "c2", x=2)


@pytest.mark.parametrize(
    ("kind", "args", "ran"),
    [("accept", None, [1]), ("edit", {"x": "7"}, [7]), ("response", "no need", []), ("ignore", None, [])],
)
def test_agent_inbox_answers_a_human_interrupt(kind: str, args: Any, ran: list[int]) -> None:
    server = Server(ONE, schema="human_interrupt")
    server.send(agent_inbox(server.request, kind, args))
    assert (server.ran, server.is_done) == (ran, True)
    assert kind != "response" or "no need" in server.message("c1")


def test_agent_inbox_is_shown_one_call_after_the_other() -> None:
    server = Server(ONE, TWO, schema="human_interrupt")
    server.send(agent_inbox(server.request, "accept"))
    assert (server.ran, server.is_done) == ([], False)
    server.send(agent_inbox(server.request, "ignore"))
    assert (server.ran, server.is_done) == ([1], True)


@pytest.mark.parametrize(
    ("kind", "args", "ran"),
    [("approve", None, [1]), ("edit", {"x": "7"}, [7]), ("reject", "too late", []), ("ignore", None, [])],
)
def test_agent_inbox_answers_a_request_of_today(kind: str, args: Any, ran: list[int]) -> None:
    server = Server(ONE, one_by_one=True)
    server.send(agent_inbox_normalised(server.request, kind, args))
    assert (server.ran, server.is_done) == (ran, True)
    assert kind != "reject" or "too late" in server.message("c1")


def test_agent_chat_ui_answers_every_action() -> None:
    server = Server(ONE, TWO)
    edit = {"type": "edit", "edited_action": {"name": "send", "args": {"x": "7"}}}  # a number comes back as text
    server.send(agent_chat_ui(server.request, edit, {"type": "reject", "message": "not this"}))
    assert (server.ran, server.is_done) == ([7], True)
    assert "not this" in server.message("c2")


def test_deep_agents_ui_answers_one_action_at_a_time() -> None:
    """Case I4."""
    server = Server(ONE, TWO, one_by_one=True)
    assert [action["args"] for action in server.request["action_requests"]] == [{"x": 1}]
    server.send(deep_agents_ui(server.request, {"type": "reject"}))
    assert (server.ran, server.is_done) == ([], False)
    assert [action["args"] for action in server.request["action_requests"]] == [{"x": 2}]
    server.send(deep_agents_ui(server.request, {"type": "approve"}))
    assert (server.ran, server.is_done) == ([2], True)


def test_one_answer_to_two_calls_runs_nothing_and_is_asked_again() -> None:
    server = Server(ONE, TWO)
    server.send(deep_agents_ui(server.request, {"type": "approve"}))
    assert (server.ran, server.is_done) == ([], False)
    assert "1 decisions were given for 2 tool calls" in server.request["error"]
    server.send(agent_chat_ui(server.request, {"type": "approve"}, {"type": "approve"}))
    assert (sorted(server.ran), server.is_done) == ([1, 2], True)


def test_a_decision_that_is_offered_but_not_allowed_is_asked_again() -> None:
    """deep-agents-ui offers approve, edit and reject whatever the request allows."""
    tools = Tools()
    gate = HumanInTheLoopMiddleware({"send": {"allowed_decisions": ["approve", "reject"]}}, one_by_one=True)
    model = ScriptedChatModel(script=[[ONE], "done"])
    agent = create_agent(model, tools.all, middleware=[gate], checkpointer=InMemorySaver())
    agent.invoke({"messages": [("user", "go")]}, CONFIG)
    edit = {"type": "edit", "edited_action": {"name": "send", "args": {"x": 7}}}
    result = agent.invoke(Command(resume={"decisions": [edit]}), CONFIG)
    assert "'edit' is not allowed" in result["__interrupt__"][0].value["error"]
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), CONFIG)
    assert tools.ran == [("send", 1)]


def test_deep_agents_ui_of_the_legacy_schema_answers_with_a_list() -> None:
    server = Server(ONE, schema="human_interrupt")
    server.send([{"type": "accept", "args": None}])
    assert (server.ran, server.is_done) == ([1], True)
