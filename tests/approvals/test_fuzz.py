"""Random agents, random calls, random answers: no gated call runs that nobody approved in exactly its form."""

from __future__ import annotations

import asyncio
from collections import Counter
from importlib.metadata import version
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command
from packaging.version import Version

from agentkit import hitl
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.permissions import FilesystemPermission, path_argument
from agentkit.testing import ScriptedChatModel, call

from .conftest import build, find_spec

EXAMPLES = settings.default.max_examples * 16
CONFIG: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 60}
TOOLS = ("send", "delete_file", "delete_draft", "look", "save")
PATHS = ("/ok", "/secrets/a", "/secrets//a", "\\secrets\\b", "/locked/x", "/secrets/../ok")
# langgraph 1.2.0 to 1.2.14: a sync run of a state with delta channels can wait for its own writes for ever.
SYNC: Any = {} if Version(version("langgraph")) >= Version("1.2.15") else {"durability": "sync"}
KINDS = ["create_agent", "react-v1", "react-v2"] + (["create_deep_agent"] if find_spec("deepagents") else [])

configs = st.one_of(
    st.booleans(),
    st.fixed_dictionaries(
        {"allowed_decisions": st.lists(st.sampled_from(hitl.DECISIONS), min_size=1, unique=True)},
        optional={"when": st.sampled_from(["big", "none"])},
    ),
)
gates = st.dictionaries(st.sampled_from([*TOOLS, "delete_*", "*", "s*"]), configs, max_size=4)
calls = st.builds(
    lambda name, x, path, call_id: {
        "name": name,
        "args": {"path": path, "x": x} if name == "save" else {"x": x},
        "id": call_id,
        "type": "tool_call",
    },
    st.sampled_from(TOOLS),
    st.integers(0, 3),
    st.sampled_from(PATHS),
    st.sampled_from(["a", "b", "c", "d"]),
)
scripts = st.lists(st.lists(calls, min_size=1, max_size=3), min_size=1, max_size=3)
middlewares = st.lists(
    st.sampled_from(["jump", "jump again", "rewrite calls", "rewrite requests", "retry", "swap"]),
    max_size=2,
    unique=True,
)
rules = st.lists(
    st.builds(
        FilesystemPermission,
        st.just(["write"]),
        st.lists(st.sampled_from(["/secrets/**", "/locked/**", "/**", "/ok"]), min_size=1, max_size=2),
        st.sampled_from(["allow", "deny", "interrupt"]),
    ),
    max_size=3,
)
garbage = st.sampled_from(
    [
        "yes", True, [], {}, {"decisions": []}, {"decisions": "x"}, {"decisions": [{"type": "approve"}] * 9},
        [{"type": "nope"}], {"type": "edit"}, {"decisions": {"zz": {"type": "approve"}}}, [None], {"decisions": {}},
    ]
)  # fmt: skip
answers = st.lists(
    st.sampled_from(["approve", "edit", "redirect", "reject", "respond", "accept", "ignore"]), min_size=3, max_size=3
)
worlds = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "inside": st.sampled_from(
            ["nothing", "a graph", "task"] if find_spec("deepagents") else ["nothing", "a graph"]
        ),
        "gates": gates,
        "script": scripts,
        "middleware": middlewares,
        "rules": rules,
        "schema": st.sampled_from(["hitl", "hitl", "human_interrupt"]),
        "interrupt_mode": st.sampled_from(["batched", "batched", "per_call"]),
        "async": st.booleans(),
    }
)


class Meddler(AgentMiddleware[Any, Any]):
    """Other people's middleware, which jumps, retries and edits."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what, self.jumps = what, 0

    @property
    def name(self) -> str:
        return f"meddler {self.what}"

    @hook_config(can_jump_to=["tools"])
    def before_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        if self.what == "jump again" and state["messages"][-1].type == "tool" and self.jumps < 2:
            self.jumps += 1
            return {"jump_to": "tools"}
        return None

    @hook_config(can_jump_to=["tools"])
    def after_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        message = state["messages"][-1]
        if not isinstance(message, AIMessage) or not message.tool_calls:
            return None
        if self.what == "rewrite calls":
            changed = [{**one, "args": {**one["args"], "x": 7}} for one in message.tool_calls]
            return {"messages": [message.model_copy(update={"tool_calls": changed})]}
        return {"jump_to": "tools"} if self.what == "jump" else None

    def _change(self, request: Any) -> Any:
        call = request.tool_call
        if self.what == "rewrite requests":
            return request.override(tool_call={**call, "args": {**call["args"], "x": 8}})
        if self.what == "swap" and call["name"] == "look":
            return request.override(tool_call={**call, "name": "send"})
        return request

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        result = handler(self._change(request))
        return handler(request) if self.what == "retry" and getattr(result, "status", "") == "error" else result

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        result = await handler(self._change(request))
        return await handler(request) if self.what == "retry" and getattr(result, "status", "") == "error" else result


def inside_another(agent: Any, saver: Any) -> Any:
    """The agent as a sub-agent: a node of a graph that keeps the threads."""
    graph = StateGraph(MessagesState)
    graph.add_node("sub", agent)
    graph.add_edge(START, "sub")
    return graph.compile(checkpointer=saver)


class World:
    """One agent, what it asked, what was approved, what ran."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.ran: list[tuple[str, str]] = []
        self.approved: Counter[tuple[str, str]] = Counter()
        self.gated_names: dict[str, Any] = {
            name: {
                **entry,
                "when": {"big": lambda r: r.tool_call["args"]["x"] > 1, "none": lambda r: None}[entry["when"]],
            }
            if isinstance(entry, dict) and "when" in entry
            else entry
            for name, entry in given["gates"].items()
        }
        if given["kind"] == "react-v1" and given["inside"] != "task":
            given["interrupt_mode"] = "batched"
        self.gate = HumanInTheLoopMiddleware(
            self.gated_names, schema=given["schema"], interrupt_mode=given["interrupt_mode"]
        )
        middleware = [*map(Meddler, given["middleware"]), self.gate]
        permissions = given["rules"] or [FilesystemPermission(["write"], ["/nowhere"], "deny")]
        model, saver = ScriptedChatModel(script=[*given["script"], "end"]), InMemorySaver()
        own: dict[str, Any] = {"tools": self.tools(), "middleware": middleware, "permissions": permissions}
        if given["inside"] == "task":
            worker = {"name": "worker", "description": "Works.", "system_prompt": "Work.", "model": model, **own}
            asks = ScriptedChatModel(script=[call("task", description="go", subagent_type="worker"), "end"])
            self.agent = build("create_deep_agent", asks, [], subagents=[worker], checkpointer=saver)
        elif given["inside"] == "a graph":
            self.agent = inside_another(build(given["kind"], model, **own, checkpointer=None), saver)
        else:
            self.agent = build(given["kind"], model, **own, checkpointer=saver)

    def tools(self) -> list[Any]:
        def record(name: str, **args: Any) -> str:
            self.ran.append((name, repr(sorted(args.items()))))
            return "ok"

        made = []
        for name in TOOLS[:-1]:

            def run(x: int, name: str = name) -> str:
                "Run."
                return record(name, x=x)

            made.append(tool(name)(_plain(run)))

        def save(path: str, x: int) -> str:
            "Save."
            return record("save", path=path, x=x)

        return [*made, path_argument("path", "write")(tool(save))]

    def drive(self, value: Any) -> Any:
        if self.given["async"]:
            return asyncio.run(self.agent.ainvoke(value, CONFIG))
        return self.agent.invoke(value, CONFIG, **SYNC)

    def needs_person(self, name: str, args: str) -> bool:
        """An independent reading of the policy, for calls of the form that ran."""
        values = dict(eval(args))
        gate = self.entry(name)
        gated = gate is True or (
            isinstance(gate, dict) and ("when" not in gate or gate["when"] == "none" or values["x"] > 1)
        )
        return gated or (name == "save" and self.rule(values["path"]) == "interrupt")

    def entry(self, name: str) -> Any:
        found = self.given["gates"]
        if name in found:
            return found[name]
        for pattern, covers in (("delete_*", name.startswith("delete_")), ("s*", name.startswith("s")), ("*", True)):
            if pattern in found and covers:
                return found[pattern]
        return False

    def rule(self, path: str) -> str:
        if ".." in path:
            modes = {rule.mode for rule in self.given["rules"]}
            return "deny" if "deny" in modes else "interrupt" if "interrupt" in modes else "allow"
        place = "/" + "/".join(part for part in path.replace("\\", "/").split("/") if part)
        readings = {place} | ({"/" + path} if "\\" in path else set())
        modes = set()
        for reading in readings:
            for rule in self.given["rules"]:
                if any(
                    p == "/**" or reading == p or (p.endswith("/**") and reading.startswith(p[:-2])) for p in rule.paths
                ):
                    modes.add(rule.mode)
                    break
        return "deny" if "deny" in modes else "interrupt" if "interrupt" in modes else "allow"

    def gated_runs(self) -> Counter[tuple[str, str]]:
        return Counter(one for one in self.ran if self.needs_person(*one))

    def check(self) -> None:
        ran = self.gated_runs()
        assert not ran - self.approved, ("ran without approval", ran - self.approved)
        for name, args in self.ran:
            assert name != "save" or self.rule(dict(eval(args))["path"]) != "deny"


def _plain(run: Any) -> Any:
    def plain(x: int) -> str:
        "Run."
        return str(run(x))

    return plain


def decide(kind: str, action: hitl.PendingAction) -> tuple[dict[str, Any], tuple[str, str] | None]:
    """A decision that the action allows, and the form of the call that it approves, if any."""
    form = (action.tool or "", repr(sorted(action.args.items())))
    if kind == "accept" and "approve" in action.allowed_decisions:
        return {"type": "accept", "args": {"action": "send", "args": {"x": 99}}}, form
    if kind == "ignore":
        return {"type": "ignore"}, None
    if kind not in action.allowed_decisions:
        kind = action.allowed_decisions[0]
    if kind == "approve":
        return {"type": "approve"}, form
    if kind == "edit":
        args = {**action.args, "x": 2}
        edited = {"name": action.tool, "args": args}
        return {"type": "edit", "edited_action": edited}, (action.tool or "", repr(sorted(args.items())))
    return {"type": kind, "message": "because"}, None


def refusal(world: World, answer: Any) -> str | None:
    """Send an answer; returns why it was refused, if it was."""
    try:
        world.drive(answer)
    except hitl.AnswerError as error:
        return str(error)
    return None


# In parts, so that they run side by side.
@pytest.mark.parametrize("part", range(8))
@settings(
    max_examples=EXAMPLES // 8,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(worlds, st.lists(st.tuples(answers, st.none() | garbage, st.booleans()), min_size=1, max_size=6))
def test_nothing_gated_runs_that_nobody_approved_in_exactly_that_form(part: int, given: Any, replies: Any) -> None:
    world = World(given)
    world.drive({"messages": [("user", "go")]})
    for step in range(14):
        waiting = hitl.pending(world.agent, CONFIG)
        world.check()
        if not waiting:
            break
        kinds, wrong, keyed = replies[step % len(replies)]
        if wrong is not None:
            before = world.gated_runs()
            pauses = {action.interrupt_id for action in waiting}
            try:
                world.drive(Command(resume=dict.fromkeys(pauses, wrong) if len(pauses) > 1 else wrong))
            except (ValueError, RuntimeError):
                pass
            else:
                # An empty mapping reads as "answers by pause: none" and never reaches the gate.
                assert (wrong, len(pauses)) == ({}, 1), f"{wrong!r} was taken for an answer"
            # Free calls may start again: langgraph before 1.2 can lose what they returned beside a pause.
            assert world.gated_runs() == before
            assert {a.tool_call_id for a in hitl.pending(world.agent, CONFIG)} == {a.tool_call_id for a in waiting}
        by_pause: dict[str, dict[str, Any]] = {}
        forms = []
        for place, action in enumerate(waiting):
            decision, form = decide(kinds[place % 3], action)
            by_pause.setdefault(action.interrupt_id, {})[action.tool_call_id or ""] = decision
            forms.append(form)
        world.approved.update(form for form in forms if form is not None)
        answer: dict[str, Any] = {key: {"decisions": found} for key, found in by_pause.items()}
        if not keyed:
            answer = {key: list(found.values()) for key, found in by_pause.items()}
        problem = refusal(world, hitl.command(waiting, answer))
        if problem is not None:  # an edit into what a rule forbids
            assert "permission denied" in problem
            rejected = {k: {"decisions": {c: {"type": "ignore"} for c in f}} for k, f in by_pause.items()}
            world.approved.subtract(form for form in forms if form is not None)
            world.drive(hitl.command(hitl.pending(world.agent, CONFIG), rejected))
    world.check()
    assert not hitl.pending(world.agent, CONFIG)
