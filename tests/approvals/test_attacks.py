"""Ways around a gate that were found by attacking it, and what must happen instead."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.hitl._records import Attempt, RecordLocation, decide, run, start
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.permissions import FileRules, FilesystemPermission, path_argument
from agentkit.testing import ScriptedChatModel

from .conftest import Bench, Tools, results

GO = {"messages": [("user", "go")]}
CONFIG: Any = {"configurable": {"thread_id": "t"}}
APPROVE = [{"type": "approve"}]
REJECT = [{"type": "reject"}]


def turn(*calls: tuple[str, str, dict[str, Any]], message: str | None = None) -> AIMessage:
    made = [{"name": name, "id": key, "args": args, "type": "tool_call"} for key, name, args in calls]
    return AIMessage("", tool_calls=made, id=message)


class InPlace(AgentMiddleware[Any, Any]):
    """Changes the arguments of a call without making a new call of it."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where

    def after_model(self, state: Any, runtime: Any) -> None:
        if self.where == "after the model":
            for call in state["messages"][-1].tool_calls:
                call["args"]["x"] = 99

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        if self.where == "at the tool":
            request.tool_call["args"]["x"] = 99
        return handler(request)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return await handler(request) if self.where != "at the tool" else await self._changed(request, handler)

    async def _changed(self, request: Any, handler: Any) -> Any:
        request.tool_call["args"]["x"] = 99
        return await handler(request)


class Override(AgentMiddleware[Any, Any]):
    """Hands on another request than it was given."""

    def __init__(self, change: Callable[[Any], dict[str, Any]]) -> None:
        super().__init__()
        self.change = change

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        return handler(request.override(**self.change(request)))


class TestOtherMiddleware:
    async def test_a_call_changed_in_place_after_its_approval_does_not_run(self, bench: Bench) -> None:
        agent = bench.agent(
            [turn(("c", "send", {"x": 1})), "ok"], interrupt_on={"send": True}, middleware=[InPlace("at the tool")]
        )
        await bench.invoke(agent)
        result = await bench.resume(agent, APPROVE)
        assert bench.ran == []
        assert results(result)["c"][0] == "error"

    @pytest.mark.parametrize("where", ["after the model", "at the tool"])
    def test_nor_does_one_changed_in_place_in_front_of_a_gate_of_plain_langchain(self, where: str) -> None:
        tools = Tools()
        gate = HumanInTheLoopMiddleware({"send": True}, tools=tools.all)
        agent = langchain_create_agent(
            ScriptedChatModel(script=[turn(("c", "send", {"x": 1})), "ok"]),
            tools.all,
            middleware=[InPlace(where), gate],
            checkpointer=InMemorySaver(),
        )
        agent.invoke(GO, CONFIG)
        agent.invoke(Command(resume=APPROVE), CONFIG)
        assert tools.ran == []

    def test_a_gated_tool_under_the_name_of_a_free_call_does_not_run(self, simple: Bench) -> None:
        send = simple.tools.all[0]
        agent = simple.agent(
            [turn(("c", "look", {"x": 1})), "ok"],
            interrupt_on={"send": True},
            middleware=[Override(lambda request: {"tool": send})],
        )
        agent.invoke(GO, CONFIG)
        assert simple.ran == []

    def test_a_gate_passed_as_middleware_alone_is_guarded_too(self, simple: Bench) -> None:
        change = Override(lambda request: {"tool_call": {**request.tool_call, "args": {"x": 99}}})
        agent = simple.agent(
            [turn(("c", "send", {"x": 1})), "ok"], middleware=[HumanInTheLoopMiddleware({"send": True}), change]
        )
        agent.invoke(GO, CONFIG)
        hitl.resume(agent, CONFIG, APPROVE)
        assert simple.ran == []

    def test_a_gate_passed_as_middleware_alone_is_checked_when_the_agent_is_built(self, simple: Bench) -> None:
        with pytest.raises(ValueError, match="'send'"):
            simple.agent(["ok"], middleware=[HumanInTheLoopMiddleware({"sned": True})])


class TestToolsAddedByMiddleware:
    @pytest.mark.parametrize("mode", ["interrupt", "deny"])
    def test_the_path_rules_cover_them(self, mode: Any) -> None:
        ran: list[str] = []

        @path_argument("path", "write")
        @tool
        def save(path: str) -> str:
            "Save."
            ran.append(path)
            return "saved"

        class Adds(AgentMiddleware[Any, Any]):
            def wrap_model_call(self, request: Any, handler: Any) -> Any:
                return handler(request.override(tools=[*request.tools, save]))

            def wrap_tool_call(self, request: Any, handler: Any) -> Any:
                return handler(request.override(tool=save) if request.tool_call["name"] == "save" else request)

        @path_argument("path", "read")
        @tool
        def load(path: str) -> str:
            "Load."
            return path

        agent = create_agent(
            ScriptedChatModel(script=[turn(("c", "save", {"path": "/secrets/x"})), "ok"]),
            [load],
            permissions=[FilesystemPermission(["write"], ["/secrets/**"], mode)],
            middleware=[Adds()],
            checkpointer=InMemorySaver(),
        )
        agent.invoke(GO, CONFIG)
        assert ran == []
        assert [one.tool for one in hitl.pending(agent, CONFIG)] == (["save"] if mode == "interrupt" else [])
        if mode == "interrupt":
            hitl.resume(agent, CONFIG, APPROVE)
            assert ran == ["/secrets/x"]


class TestAnotherPolicyAfterARestart:
    async def test_a_rejected_call_does_not_run_where_its_gate_is_gone(self, bench: Bench) -> None:
        agent = bench.agent([turn(("c", "send", {"x": 1})), "ok"], interrupt_on={"send": True})
        await bench.invoke(agent)
        agent = bench.agent([turn(("c", "send", {"x": 1})), "ok"], interrupt_on={"look": True})
        result = await bench.resume(agent, REJECT)
        assert bench.ran == []
        assert "rejected" in results(result)["c"][1]

    @pytest.mark.parametrize("before", ["batched", "per_call"])
    @pytest.mark.parametrize("after", ["batched", "per_call"])
    def test_nor_where_the_mode_of_its_pauses_was_changed_as_well(self, simple: Bench, before: Any, after: Any) -> None:
        def build(gated: str, mode: Any) -> Any:
            gate = HumanInTheLoopMiddleware({gated: True}, interrupt_mode=mode)
            return simple.agent([turn(("c", "send", {"x": 1})), "ok"], middleware=[gate])

        build("send", before).invoke(GO, CONFIG)
        hitl.resume(build("look", after), CONFIG, REJECT)
        assert simple.ran == []

    @pytest.mark.parametrize("interrupt_mode", ["batched", "per_call"])
    def test_a_gate_that_was_not_told_the_tools_keeps_its_rules(self, interrupt_mode: Any) -> None:
        saver, ran = InMemorySaver(), []

        @path_argument("path", "write")
        @tool
        def save(path: str) -> str:
            "Save."
            ran.append(path)
            return "saved"

        def build() -> Any:
            rules = [FilesystemPermission(["write"], ["/secrets/**"], "interrupt")]
            return langchain_create_agent(
                ScriptedChatModel(script=[turn(("c", "save", {"path": "/secrets/x"})), "ok"]),
                [save],
                middleware=[HumanInTheLoopMiddleware(permissions=rules, interrupt_mode=interrupt_mode)],
                checkpointer=saver,
            )

        build().invoke(GO, CONFIG)
        hitl.resume(build(), CONFIG, REJECT)
        assert ran == []

    @pytest.mark.parametrize("before", ["hitl", "human_interrupt"])
    @pytest.mark.parametrize("after", ["hitl", "human_interrupt"])
    def test_a_pause_is_answered_in_the_schema_it_was_asked_in(self, simple: Bench, before: Any, after: Any) -> None:
        def build(schema: Any) -> Any:
            gate = HumanInTheLoopMiddleware({"send": True}, schema=schema)
            return simple.agent([turn(("c", "send", {"x": 1}), ("d", "send", {"x": 2})), "ok"], middleware=[gate])

        build(before).invoke(GO, CONFIG)
        agent = build(after)
        while waiting := hitl.pending(agent, CONFIG):
            hitl.resume(agent, CONFIG, APPROVE * len(waiting))
        assert sorted(simple.ran) == [("send", 1), ("send", 2)]


class TestAnAnswerThatComesWithAnUpdate:
    @pytest.mark.parametrize("by_id", [False, True])
    async def test_a_call_changed_between_pause_and_answer_is_asked_about_again(
        self, bench: Bench, by_id: bool
    ) -> None:
        agent = bench.agent([turn(("c", "send", {"x": 1}), message="m"), "ok"], interrupt_on={"send": True})
        await bench.invoke(agent)
        changed = {"messages": [turn(("c", "send", {"x": 99}), message="m")]}
        answer: Any = {(await bench.pending(agent))[0].interrupt_id: APPROVE} if by_id else APPROVE
        await bench.invoke(agent, Command(update=changed, resume=answer))
        assert bench.ran == []
        assert [one.args for one in await bench.pending(agent)] == [{"x": 99}]
        await bench.invoke(agent, None)
        assert bench.ran == []
        await bench.resume(agent, APPROVE)
        assert bench.ran == [("send", 99)]

    def test_nor_does_a_call_that_was_free_before_the_change(self, simple: Bench) -> None:
        big = {"allowed_decisions": ["approve"], "when": lambda request: request.tool_call["args"]["x"] > 5}
        calls = ("c", "send", {"x": 1}), ("d", "look", {"x": 1})
        agent = simple.agent([turn(*calls, message="m"), "ok"], interrupt_on={"send": big, "look": True})
        agent.invoke(GO, CONFIG)
        changed = {"messages": [turn(("c", "send", {"x": 99}), calls[1], message="m")]}
        agent.invoke(Command(update=changed, resume=APPROVE), CONFIG)
        assert ("send", 99) not in simple.ran


class TestAnswersThatFail:
    @pytest.mark.parametrize("wrong", [{"type": []}, [{"type": {}}], {"decisions": {"c": {"type": []}}}, {"type": 1}])
    async def test_a_type_that_is_no_text_is_refused_and_the_thread_goes_on(self, bench: Bench, wrong: Any) -> None:
        agent = bench.agent([turn(("c", "send", {"x": 1})), "ok"], interrupt_on={"send": True})
        await bench.invoke(agent)
        await bench.refused(agent, wrong, "not a decision")
        await bench.resume(agent, APPROVE)
        assert bench.ran == [("send", 1)]

    @pytest.mark.parametrize("interrupt_mode", ["batched", "per_call"])
    def test_a_function_that_fails_on_an_edit_leaves_the_thread_answerable(
        self, simple: Bench, interrupt_mode: Any
    ) -> None:
        fails = {"allowed_decisions": ["reject"], "when": lambda request: request.tool_call["args"]["none"]}
        agent = simple.agent(
            [turn(("c", "send", {"x": 1})), "ok"],
            interrupt_on={"send": True, "look": fails},
            middleware=[HumanInTheLoopMiddleware(interrupt_mode=interrupt_mode)],
        )
        agent.invoke(GO, CONFIG)
        edit = [{"type": "edit", "edited_action": {"name": "look", "args": {"x": 1}}}]
        if interrupt_mode == "per_call":  # an edit into another tool is refused before anything is evaluated
            agent.invoke(Command(resume=edit[0]), CONFIG)
        else:
            with pytest.raises(KeyError):
                agent.invoke(Command(resume=edit), CONFIG)
        hitl.resume(agent, CONFIG, APPROVE)
        assert simple.ran == [("send", 1)]

    def test_so_does_a_resolver_that_fails_on_an_edit(self) -> None:
        def resolve(path: str) -> str:
            return {"/s/x": path}[path]

        ran: list[str] = []

        @path_argument("path", "write")
        @tool
        def save(path: str) -> str:
            "Save."
            ran.append(path)
            return "saved"

        agent = create_agent(
            ScriptedChatModel(script=[turn(("c", "save", {"path": "/s/x"})), "ok"]),
            [save],
            permissions=FileRules([FilesystemPermission(["write"], ["/s/**"], "interrupt")], resolve=resolve),
            checkpointer=InMemorySaver(),
        )
        agent.invoke(GO, CONFIG)
        edit = {"type": "edit", "edited_action": {"name": "save", "args": {"path": "/s/y"}}}
        with pytest.raises(KeyError):
            agent.invoke(Command(resume=[edit]), CONFIG)
        hitl.resume(agent, CONFIG, APPROVE)
        assert ran == ["/s/x"]


class TestPerCall:
    def gated(self, risky: Any, when: Any = None) -> Any:
        entry = {"allowed_decisions": ["approve", "edit"], **({"when": when} if when else {})}
        return create_agent(
            ScriptedChatModel(script=[turn(("c", "risky", {"x": 1})), "ok"]),
            [risky],
            middleware=[HumanInTheLoopMiddleware({"risky": entry}, interrupt_mode="per_call")],
            checkpointer=InMemorySaver(),
        )

    def test_an_edit_holds_when_the_tool_pauses_itself_and_when_changes_its_mind(self) -> None:
        ran: list[Any] = []
        verdict = True

        @tool
        def risky(x: int) -> str:
            "Risk."
            ran.append((x, interrupt("sure?")))
            return "done"

        agent = self.gated(risky, lambda request: verdict)
        agent.invoke(GO, CONFIG)
        hitl.resume(agent, CONFIG, [{"type": "edit", "edited_action": {"name": "risky", "args": {"x": 2}}}])
        verdict = False
        agent.invoke(Command(resume="yes"), CONFIG)
        assert ran == [(2, "yes")]

    def test_an_approved_tool_that_failed_can_be_tried_again_at_once(self) -> None:
        ran: list[int] = []

        @tool
        def risky(x: int) -> str:
            "Risk."
            ran.append(x)
            if len(ran) == 1:
                raise RuntimeError("boom")
            return "done"

        agent = self.gated(risky)
        agent.invoke(GO, CONFIG)
        with pytest.raises(RuntimeError, match="boom"):
            hitl.resume(agent, CONFIG, APPROVE)
        assert agent.invoke(None, CONFIG)["messages"][-1].content == "ok"
        assert ran == [1, 1]


def test_of_threads_that_start_one_call_in_memory_one_does() -> None:
    from langgraph.checkpoint.memory import InMemorySaver as Saver

    class Slow(Saver):
        """Looks and writes in two steps, as the saver in memory does, with time in between."""

        def key(self, config: Any) -> tuple[str, str, str]:
            where = config["configurable"]
            return where["thread_id"], where["checkpoint_ns"], where["checkpoint_id"]

        def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
            class Waits(dict):  # type: ignore[type-arg]
                def __contains__(self, key: object) -> bool:
                    found = super().__contains__(key)
                    ThreadPoolExecutor(1).submit(sum, range(200_000)).result()
                    return found

            kept = self.writes[self.key(config)]
            if not isinstance(kept, Waits):
                self.writes[self.key(config)] = Waits(kept)
            super().put_writes(config, writes, task_id, task_path)

    saver = Slow()
    at = RecordLocation(saver, "t", "0" * 32)
    run(decide(at, {"0:c": {"id": "c", "name": "send", "args": {}, "decision": {"type": "approve"}}}, 0, None, None))

    def begin(_: int) -> bool:
        return isinstance(run(start(at, "0:c", "run", again=False)), Attempt)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(begin, range(8))) == 1


class TestRules:
    @pytest.mark.parametrize("path", ["/secrets/", "/./secrets/**", "/secrets/./x"])
    def test_a_pattern_that_could_match_nothing_is_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="permission path"):
            FilesystemPermission(["read"], [path], "deny")

    @pytest.mark.parametrize(("rule", "path"), [("/s\u00e9/**", "/se\u0301/x"), ("/se\u0301/**", "/s\u00e9/x")])
    def test_a_rule_holds_for_either_form_of_an_accent(self, rule: str, path: str) -> None:
        rules = FileRules([FilesystemPermission(["read"], [rule], "deny")])
        assert rules.judge("read_file", {"file_path": path}).mode == "deny"
        assert rules.judge("ls", {"path": path}).mode == "deny"

    @pytest.mark.parametrize("pattern", [".[.]/secrets/*", "{.,}./secrets/*", "a/[.][.]/../x"])
    def test_a_glob_that_can_climb_in_other_words_is_not_let_through(self, pattern: str) -> None:
        rules = FileRules([FilesystemPermission(["read"], ["/secrets/**"], "deny")])
        assert rules.judge("glob", {"path": "/workspace", "pattern": pattern}).mode == "deny"
        assert rules.judge("glob", {"path": "/workspace", "pattern": "./*.{py,md}"}).mode == "allow"
