"""Rules hold for the tool that runs and the filesystem it works on, whoever brought it."""

from __future__ import annotations

import time
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent as langchain_create_agent
from langchain.agents.middleware import AgentMiddleware, FilesystemFileSearchMiddleware, ShellToolMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from agentkit import hitl
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware
from agentkit.permissions import FileRules, FilesystemPermission, PathArgument, path_argument
from agentkit.prebuilt import create_react_agent
from agentkit.testing import ScriptedChatModel, call

from .conftest import needs_deepagents, results

GO: Any = {"messages": [("user", "go")]}
CONFIG: Any = {"configurable": {"thread_id": "t"}}


def rule(mode: Any, *operations: Any) -> FilesystemPermission:
    return FilesystemPermission(list(operations or ("read", "write")), ["/secrets/**"], mode)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "k").write_text("TOPSECRET")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "plain").write_text("plain")
    (tmp_path / "link").symlink_to("secrets")
    return tmp_path


def test_rules_never_change(root: Path) -> None:
    rules = FileRules([rule("interrupt")])
    with pytest.raises(FrozenInstanceError):
        rules.resolve = str  # type: ignore[misc]
    assert rules.rules == (rule("interrupt"),)


@needs_deepagents
class TestBackends:
    """deepagents' tools on real files, wherever they come from."""

    def backend(self, root: Path, *, composite: bool = False) -> Any:
        from deepagents.backends import CompositeBackend, FilesystemBackend, StateBackend

        disk = FilesystemBackend(root_dir=root, virtual_mode=True)
        return CompositeBackend(default=StateBackend(), routes={"/disk/": disk}) if composite else disk

    def test_one_object_for_two_agents_is_judged_by_the_backend_of_each(self, root: Path, tmp_path: Path) -> None:
        from agentkit.agents import create_deep_agent

        (other := tmp_path / "other").mkdir()
        rules = FileRules([rule("interrupt")])
        agents = [
            create_deep_agent(
                ScriptedChatModel(script=[call("write_file", file_path="/link/x", content="x"), "end"]),
                permissions=rules,
                backend=self.backend(where),
                checkpointer=InMemorySaver(),
            )
            for where in (other, root)
        ]
        for agent in agents:
            agent.invoke(GO, CONFIG)
        assert [len(hitl.pending(agent, CONFIG)) for agent in agents] == [0, 1]
        assert rules.resolve is None

    @pytest.mark.parametrize("kind", ["create_agent", "create_react_agent", "langchain"])
    @pytest.mark.parametrize("composite", [False, True])
    @pytest.mark.parametrize("mode", ["deny", "interrupt"])
    def test_a_link_is_followed_whoever_brought_the_tools(
        self, root: Path, kind: str, composite: bool, mode: Any
    ) -> None:
        from deepagents.middleware import FilesystemMiddleware

        prefix = "/disk" if composite else ""
        rules = [FilesystemPermission(["read"], [f"{prefix}/secrets/**"], mode)]
        model = ScriptedChatModel(script=[call("read_file", "c", file_path=f"{prefix}/link/k"), "end"])
        files = FilesystemMiddleware(backend=self.backend(root, composite=composite))
        make: Any = {"create_agent": create_agent, "create_react_agent": create_react_agent}.get(kind)
        if make is None:
            gate = HumanInTheLoopMiddleware(permissions=rules)
            agent: Any = langchain_create_agent(model, [], middleware=[gate, files], checkpointer=InMemorySaver())
        else:
            agent = make(model, [], middleware=[files], permissions=rules, checkpointer=InMemorySaver())
        result = agent.invoke(GO, CONFIG)
        assert len(hitl.pending(agent, CONFIG)) == (mode == "interrupt")
        assert "TOPSECRET" not in str(result)
        if mode == "deny":
            assert results(result)["c"][0] == "error"

    def test_the_gate_as_middleware_of_a_deep_agent_follows_links(self, root: Path) -> None:
        from agentkit.agents import create_deep_agent

        agent = create_deep_agent(
            ScriptedChatModel(script=[call("read_file", file_path="/link/k"), "end"]),
            middleware=[HumanInTheLoopMiddleware(permissions=[rule("interrupt")])],
            backend=self.backend(root),
            checkpointer=InMemorySaver(),
        )
        agent.invoke(GO, CONFIG)
        (action,) = hitl.pending(agent, CONFIG)
        assert "read on /secrets/k (rule interrupt /secrets/**)" in action.description

    @pytest.mark.parametrize("name", ["grep", "delete"])
    def test_an_own_tool_of_a_built_in_name_is_not_taken_for_the_built_in_one(self, name: str) -> None:
        from agentkit.agents import create_deep_agent

        ran: list[str] = []
        argument = "path" if name == "grep" else "file_path"

        def own(path: str = "", file_path: str = "") -> str:
            "Reach everything below a path."
            ran.append(path or file_path)
            return "TOPSECRET"

        agent = create_deep_agent(
            ScriptedChatModel(script=[call(name, "c", **{argument: "/"}), "end"]),
            [tool(name)(own)],
            permissions=[rule("deny")],
            checkpointer=InMemorySaver(),
        )
        result = agent.invoke(GO, CONFIG)
        assert ran == []
        assert "what lies below / (rule deny /secrets/**)" in results(result)["c"][1]

    def test_rules_that_only_deny_need_no_checkpointer(self) -> None:
        from agentkit.agents import create_deep_agent

        model = ScriptedChatModel(script=[call("write_file", "c", file_path="/secrets/x", content=""), "end"])
        result = create_deep_agent(model, permissions=[rule("deny")]).invoke(GO)
        assert results(result)["c"][0] == "error"

    def test_a_gate_for_a_tool_that_only_a_sub_agent_has_is_inherited(self) -> None:
        from agentkit.agents import create_deep_agent

        ran: list[int] = []

        @tool
        def pay(x: int) -> str:
            "Pay."
            ran.append(x)
            return "paid"

        def main(messages: list[Any]) -> Any:
            if next(m for m in messages if m.type == "human").content == "go":
                return call("task", "t", description="pay", subagent_type="payer")
            return call("pay", "p", x=1)

        spec: Any = {"name": "payer", "description": "Pays.", "system_prompt": "Pay.", "tools": [pay]}
        model = ScriptedChatModel(script=[main, "end"])
        agent = create_deep_agent(model, subagents=[spec], interrupt_on={"pay": True}, checkpointer=InMemorySaver())
        agent.invoke(GO, CONFIG)
        assert [(one.tool, one.where) for one in hitl.pending(agent, CONFIG)] == [("pay", ("payer",))]
        assert ran == []
        with pytest.raises(ValueError, match=r"'pai'.*Did you mean 'pay'"):
            create_deep_agent(model, subagents=[spec], interrupt_on={"pai": True}, checkpointer=InMemorySaver())


class TestLangchainsOwnTools:
    @pytest.mark.parametrize(
        "asked",
        [
            call("grep_search", "c", pattern="TOPSECRET", output_mode="content"),
            call("grep_search", "c", pattern="TOPSECRET", path="/link", output_mode="content"),
            call("glob_search", "c", pattern="**/*"),
            call("glob_search", "c", pattern="link/*"),
            call("glob_search", "c", pattern="k", path="/secrets"),
        ],
    )
    def test_file_search_is_covered(self, root: Path, asked: Any) -> None:
        for mode in ("deny", "interrupt"):
            agent: Any = create_agent(
                ScriptedChatModel(script=[asked, "end"]),
                [],
                middleware=[FilesystemFileSearchMiddleware(root_path=str(root), use_ripgrep=False)],
                permissions=[rule(mode)],
                checkpointer=InMemorySaver(),
            )
            result = agent.invoke(GO, CONFIG)
            assert len(hitl.pending(agent, CONFIG)) == (mode == "interrupt")
            assert not any(m.type == "tool" and m.status == "success" for m in result["messages"])

    def test_a_shell_beside_rules_is_refused_unless_a_person_sees_every_command(self, root: Path) -> None:
        search = FilesystemFileSearchMiddleware(root_path=str(root))
        given: Any = {
            "middleware": [ShellToolMiddleware(workspace_root=root), search],
            "permissions": [rule("deny")],
            "checkpointer": InMemorySaver(),
        }
        with pytest.raises(ValueError, match=r"'shell' runs commands.*interrupt_on=\{'shell': True\}"):
            create_agent(ScriptedChatModel(), [], **given)
        create_agent(ScriptedChatModel(), [], interrupt_on={"shell": True}, **given)


class TestPathsByName:
    def test_a_pattern_covers_the_tools_it_matches_and_the_most_specific_counts(self) -> None:
        rules = FileRules(
            [rule("deny")],
            tools={"read_*": PathArgument("path", "read"), "read_notes*": [PathArgument("other", "read")]},
        )
        assert rules.judge("read_page", {"path": "/secrets/x"}).mode == "deny"
        assert rules.judge("read_notes", {"path": "/secrets/x", "other": "/ok"}).mode == "allow"
        assert rules.judge("read_notes", {"path": "/ok", "other": "/secrets/x"}).mode == "deny"

    @pytest.mark.parametrize("given", ["path", None, [], ["path"], {"path": "read"}])
    def test_an_entry_that_is_no_path_argument_is_refused_with_the_right_form(self, given: Any) -> None:
        with pytest.raises(ValueError, match=r"tools\['x'\] must be a PathArgument .* Write tools=\{'x': PathArgument"):
            FileRules([rule("deny")], tools={"x": given})


def test_a_path_is_judged_in_time_that_grows_with_its_length() -> None:
    rules = FileRules([FilesystemPermission(["read"], ["/**/a/**/b/**/c", "/*a*a*a*a*a*b"], "deny")])
    short, long = ("/" + "/".join(["a", "b"] * n) for n in (150, 1500))

    def seconds(path: str) -> float:
        start = time.process_time()
        assert rules.judge("read_file", {"file_path": path}).mode == "allow"
        return time.process_time() - start

    seconds(short)
    assert seconds(short) < 0.1
    assert seconds(long) < 1
    assert seconds("/" + "a" * 3000) < 1


def test_a_link_made_in_the_same_turn_is_judged_when_the_tool_starts(root: Path) -> None:
    rules = FileRules([rule("interrupt")], root=root, tools={"save": PathArgument("target", "write")})
    asked = {"name": "save", "args": {"target": "/new/x"}}
    gate = HumanInTheLoopMiddleware(permissions=rules)
    assert gate.policy.evaluate_rules(asked).kind == "free"
    (root / "new").symlink_to("secrets")
    result = gate.policy.evaluate_rules(asked)
    assert (result.kind, result.reason) == ("ask", "write on /secrets/x (rule interrupt /secrets/**)")


class TestOneGate:
    def test_two_gates_on_one_agent_are_refused(self) -> None:
        class Second(HumanInTheLoopMiddleware):
            pass

        @tool
        def send(x: int) -> str:
            "Send."
            return "sent"

        gates: Any = [HumanInTheLoopMiddleware({"send": True}), Second({"send": True})]
        for make in (create_agent, create_react_agent):
            for order in (gates, gates[::-1], [Second({"send": True}), Second({"send": True})]):
                with pytest.raises(ValueError, match="HumanInTheLoopMiddleware"):
                    make(ScriptedChatModel(), [send], middleware=order, checkpointer=InMemorySaver())

    def test_tools_that_only_middleware_brings_can_be_gated(self) -> None:
        @path_argument("target", "write")
        @tool
        def save(target: str) -> str:
            "Save."
            return "saved"

        class Brings(AgentMiddleware[Any, Any, Any]):
            tools = (save,)

        for given in ({"interrupt_on": {"save": True}}, {"permissions": [rule("interrupt")]}):
            for make in (create_agent, create_react_agent):
                model = ScriptedChatModel(script=[call("save", target="/secrets/x"), "end"])
                agent: Any = make(model, [], middleware=[Brings()], checkpointer=InMemorySaver(), **given)
                agent.invoke(GO, CONFIG)
                assert len(hitl.pending(agent, CONFIG)) == 1


@pytest.mark.parametrize("args", [{"x": "five"}, {}, {"x": None}])
def test_an_edit_with_arguments_the_tool_does_not_take_is_refused(args: Any) -> None:
    @tool
    def send(x: int) -> str:
        "Send."
        return "sent"

    policy = HumanInTheLoopMiddleware({"send": True}, tools=[send]).policy
    original = {"name": "send", "args": {"x": 1}}
    problem = policy.check_edit(original, {"name": "send", "args": args}, dict)
    assert problem.startswith("'send' does not take these arguments: x: ")
    assert policy.check_edit(original, {"name": "send", "args": {"x": 2}}, dict) == ""
    assert "only the arguments of 'send'" in policy.check_edit(
        original, {"name": "other", "args": {}}, dict, same_tool=True
    )
