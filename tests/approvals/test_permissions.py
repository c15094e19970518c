"""Rules on paths: what is accepted, what waits, what is forbidden."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from agentkit.permissions import FileRules, FilesystemPermission, PathArgument, normal_path, path_argument
from agentkit.testing import ScriptedChatModel, call

from .conftest import Bench, build, needs_deepagents, results

SECRETS = [FilesystemPermission(["read", "write"], ["/secrets/**"], "interrupt")]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"mode": "ask"}, "mode='ask' is not one of 'allow', 'interrupt', 'deny'"),
        ({"mode": "Deny"}, "mode='Deny'"),
        ({"operations": ["edit"]}, "operation 'edit' is not one of 'read', 'write'"),
        ({"operations": []}, "operations must be a list that is not empty"),
        ({"operations": "read"}, "operations must be a list"),
        ({"paths": []}, "paths must be a list that is not empty"),
        ({"paths": "/secrets/**"}, "paths must be a list"),
        ({"paths": ["secrets/**"]}, "starts with '/'"),
        ({"paths": [""]}, "starts with '/'"),
        ({"paths": [5]}, "starts with '/'"),
        ({"paths": ["/a/../b"]}, "must not contain '..'"),
        ({"paths": ["/a/{..,b}/c"]}, "must not contain '..'"),
        ({"paths": ["/~/b"]}, "must not contain '..' or '~'"),
        ({"paths": ["/a\\b"]}, "written with '/' alone"),
    ],
)
def test_a_rule_that_would_enforce_nothing_is_refused(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FilesystemPermission(**{"operations": ["read"], "paths": ["/a"], "mode": "deny", **rule})


@needs_deepagents
def test_rules_of_deepagents_are_checked_too() -> None:
    from deepagents import FilesystemPermission as Theirs

    with pytest.raises(ValueError, match="mode='ask'"):
        FileRules([Theirs(operations=["read"], paths=["/a"], mode="ask")])  # type: ignore[arg-type]


def test_rules_that_no_tool_is_covered_by_are_refused(simple: Bench) -> None:
    for kind in ("create_agent", "react-v1", "react-v2"):
        with pytest.raises(ValueError, match="covers no tool"):
            build(kind, ScriptedChatModel(), simple.tools.all, permissions=SECRETS, checkpointer=InMemorySaver())


def test_a_file_tool_with_other_arguments_must_say_which_one_is_the_path(kind: str) -> None:
    @tool
    def write_file(where: str) -> str:
        "Write."
        return where

    if kind == "create_deep_agent":
        pytest.skip("deepagents brings its own file tools")
    with pytest.raises(ValueError, match="'write_file' has no argument 'file_path'; it has where"):
        build(kind, ScriptedChatModel(), [write_file], permissions=SECRETS, checkpointer=InMemorySaver())


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("read_file", {"file_path": "/secrets/x"}),
        ("read_file", {"file_path": "secrets/x"}),
        ("read_file", {"file_path": "/secrets/../secrets/x"}),
        ("read_file", {"file_path": "/workspace/../secrets/x"}),
        ("read_file", {"file_path": "/secrets//x"}),
        ("read_file", {"file_path": "//secrets/x"}),
        ("read_file", {"file_path": "/./secrets/./x"}),
        ("read_file", {"file_path": "\\secrets\\x"}),
        ("read_file", {"file_path": "\\.\\secrets\\x"}),
        ("read_file", {"file_path": "/Secrets/x"}),
        ("read_file", {"file_path": "/secrets/.env"}),
        ("read_file", {"file_path": "/secrets/a/b/c"}),
        ("read_file", {"file_path": "~/secrets/x"}),
        ("read_file", {"file_path": "C:/secrets/x"}),
        ("read_file", {"file_path": "/secrets/x\0"}),
        ("read_file", {"file_path": 5}),
        ("read_file", {"file_path": None}),
        ("read_file", {"file_path": ["/ok", "/secrets/x"]}),
        ("read_file", {"file_path": {"path": "/secrets/x"}}),
        ("read_file", {}),
        ("edit_file", {"file_path": "/secrets/x"}),
        ("write_file", {"file_path": "/secrets/new"}),
        ("ls", {"path": "."}),
        ("ls", {"path": ""}),
        ("ls", {"path": "./"}),
        ("ls", {"path": "/"}),
        ("ls", {"path": "/secrets"}),
        ("ls", {"path": "/secrets/"}),
        ("ls", {"path": "/SECRETS"}),
        ("ls", {}),
        ("ls", {"path": 5}),
        ("glob", {"pattern": "/secrets/**", "path": "/workspace"}),
        ("glob", {"pattern": "../secrets/**", "path": "/workspace"}),
        ("glob", {"pattern": "{/secrets,x}/**", "path": "/workspace"}),
        ("glob", {"pattern": "{..,x}/secrets", "path": "/workspace"}),
        ("glob", {"pattern": "~/x", "path": "/workspace"}),
        ("glob", {"pattern": "**/x"}),
        ("glob", {"pattern": "**/x", "path": "/"}),
        ("glob", {"pattern": 5, "path": "/workspace"}),
        ("grep", {"pattern": "x"}),
        ("grep", {"pattern": "x", "path": None}),
        ("delete", {"file_path": "/secrets/x"}),
        ("delete", {"file_path": "/"}),
    ],
)
@pytest.mark.parametrize("mode", ["interrupt", "deny"])
def test_no_way_of_writing_a_protected_path_gets_past_the_rule(name: str, args: Any, mode: Any) -> None:
    rules = FileRules([FilesystemPermission(["read", "write"], ["/secrets/**"], mode)])
    expected = {"deny"} if mode == "deny" else {"interrupt"}
    assert {rules.judge(name, args).mode} == expected


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("read_file", {"file_path": "/workspace/x"}),
        ("read_file", {"file_path": "/secretsx/y"}),
        ("read_file", {"file_path": "/a/secrets/x"}),
        ("read_file", {"file_path": "/workspace/a..b"}),
        ("ls", {"path": "/workspace"}),
        ("ls", {"path": "/secretsx"}),
        ("glob", {"pattern": "*.py", "path": "/workspace"}),
        ("grep", {"pattern": "/secrets", "path": "/workspace"}),
        ("task", {"description": "/secrets/x"}),
    ],
)
def test_other_paths_are_left_alone(name: str, args: Any) -> None:
    assert FileRules(SECRETS).judge(name, args).mode == "allow"


def test_the_first_rule_that_matches_decides() -> None:
    rules = FileRules(
        [
            FilesystemPermission(["read", "write"], ["/workspace/**"], "allow"),
            FilesystemPermission(["read", "write"], ["/**"], "deny"),
        ]
    )
    assert rules.judge("write_file", {"file_path": "/workspace/a"}).mode == "allow"
    assert rules.judge("write_file", {"file_path": "/etc/a"}).mode == "deny"
    reading = FileRules([FilesystemPermission(["write"], ["/**"], "deny")])
    assert reading.judge("read_file", {"file_path": "/etc/a"}).mode == "allow"


class TestRealFiles:
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        (tmp_path / "secrets").mkdir()
        (tmp_path / "secrets" / "x").write_text("key")
        (tmp_path / "workspace").mkdir()
        (tmp_path / "workspace" / "plain").write_text("")
        (tmp_path / "workspace" / "link").symlink_to(tmp_path / "secrets")
        (tmp_path / "workspace" / "file").symlink_to("../secrets/x")
        (tmp_path / "workspace" / "out").symlink_to("/etc")
        (tmp_path / "workspace" / "loop").symlink_to("loop")
        return tmp_path

    @pytest.mark.parametrize(
        "path", ["/workspace/link/x", "/workspace/file", "/workspace/out/passwd", "/workspace/link"]
    )
    def test_a_link_is_judged_by_where_it_leads(self, root: Path, path: str) -> None:
        for name in ("ls", "grep"):
            assert FileRules(SECRETS, root=root).judge(name, {"path": path}).mode == "interrupt"
        if path != "/workspace/link":
            assert FileRules(SECRETS, root=root).judge("read_file", {"file_path": path}).mode == "interrupt"

    def test_a_plain_file_is_left_alone(self, root: Path) -> None:
        assert FileRules(SECRETS, root=root).judge("read_file", {"file_path": "/workspace/plain"}).mode == "allow"

    def test_deleting_one_file_is_judged_exactly_and_a_directory_with_all_below_it(self, root: Path) -> None:
        rules = FileRules(
            [
                FilesystemPermission(["write"], ["/workspace/**"], "allow"),
                FilesystemPermission(["write"], ["/**"], "deny"),
            ],
            root=root,
        )
        assert rules.judge("delete", {"file_path": "/workspace/plain"}).mode == "allow"
        assert rules.judge("delete", {"file_path": "/workspace"}).mode == "deny"
        assert rules.judge("delete", {"file_path": "/"}).mode == "deny"

    def test_search_results_leave_out_what_is_denied(self, root: Path) -> None:
        rules = FileRules([FilesystemPermission(["read"], ["/secrets/**"], "deny")], root=root)
        found = ["/workspace/plain", "/secrets/x", "/workspace/file", "/workspace/out/passwd"]
        assert rules.visible(found) == ["/workspace/plain"]


@pytest.mark.parametrize("raw", ["a/b", "/a/b/", "//a///b", "/./a/./b", "a\\b", "\\a\\b"])
def test_paths_have_one_normal_form(raw: str) -> None:
    assert normal_path(raw) == "/a/b"


class TestOwnTools:
    """A tool of the user's that says which argument is a path."""

    def tools(self, bench: Bench) -> list[Any]:
        @path_argument("target", "write")
        @tool
        def save_report(target: str, text: str) -> str:
            "Save."
            bench.ran.append(("save_report", target))
            return "saved"

        return [*bench.tools.all, save_report]

    async def test_a_declared_argument_is_covered(self, bench: Bench) -> None:
        script = [
            [call("save_report", "c1", target="/secrets/x", text=""), call("save_report", "c2", target="/ok", text="")],
            "end",
        ]
        agent = bench.agent(script, self.tools(bench), permissions=SECRETS)
        await bench.invoke(agent)
        (action,) = await bench.pending(agent)
        assert action.tool_call_id == "c1"
        assert "write on /secrets/x (rule interrupt /secrets/**)" in action.description
        agent = await bench.restart()
        await bench.resume(agent, [{"type": "approve"}])
        assert sorted(bench.ran) == [("save_report", "/ok"), ("save_report", "/secrets/x")]

    async def test_a_denied_call_is_an_error_that_names_the_rule_and_the_run_goes_on(self, bench: Bench) -> None:
        rules = [FilesystemPermission(["write"], ["/secrets/**"], "deny")]
        script = [call("save_report", "c1", target="/secrets/x", text=""), "end"]
        agent = bench.agent(script, self.tools(bench), permissions=rules)
        result = await bench.invoke(agent)
        assert results(result)["c1"] == (
            "error",
            "Error: permission denied for write on /secrets/x (rule deny /secrets/**). The tool was not executed.",
        )
        assert result["messages"][-1].content == "end"
        assert bench.ran == []

    async def test_a_rule_and_a_gate_on_one_call_make_one_decision(self, bench: Bench) -> None:
        gates = {"save_report": {"allowed_decisions": ["approve", "reject"]}}
        agent = bench.agent(
            [call("save_report", "c1", target="/secrets/x", text=""), "end"],
            self.tools(bench),
            permissions=SECRETS,
            interrupt_on=gates,
        )
        result = await bench.invoke(agent)
        assert len(result["__interrupt__"]) == 1
        (action,) = await bench.pending(agent)
        assert action.allowed_decisions == ("approve", "reject")
        await bench.resume(agent, [{"type": "approve"}])
        assert bench.ran == [("save_report", "/secrets/x")]

    async def test_setting_the_tool_free_does_not_cancel_the_rule(self, bench: Bench) -> None:
        agent = bench.agent(
            [call("save_report", "c1", target="/secrets/x", text=""), "end"],
            self.tools(bench),
            permissions=SECRETS,
            interrupt_on={"save_report": False},
        )
        await bench.invoke(agent)
        assert [action.tool_call_id for action in await bench.pending(agent)] == ["c1"]

    async def test_an_edit_into_a_denied_path_is_refused(self, bench: Bench) -> None:
        rules = [FilesystemPermission(["write"], ["/locked/**"], "deny"), *SECRETS]
        agent = bench.agent(
            [call("save_report", "c1", target="/secrets/x", text=""), "end"], self.tools(bench), permissions=rules
        )
        await bench.invoke(agent)
        edited = {"name": "save_report", "args": {"target": "/locked/x", "text": ""}}
        await bench.refused(
            agent, [{"type": "edit", "edited_action": edited}], "permission denied for write on /locked/x"
        )
        edited["args"]["target"] = "/free"  # type: ignore[index]
        await bench.answer(agent, [{"type": "edit", "edited_action": edited}])
        assert bench.ran == [("save_report", "/free")]

    def test_a_declaration_for_an_argument_that_does_not_exist_is_refused(self) -> None:
        def save(target: str) -> str:
            "Save."
            return target

        with pytest.raises(ValueError, match="'save' has no argument 'path'; it has target"):
            path_argument("path", "write")(save)
        with pytest.raises(ValueError, match="operation='edit'"):
            path_argument("target", "edit")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="scope='deep'"):
            path_argument("target", "write", "deep")  # type: ignore[arg-type]

    async def test_a_tool_can_be_declared_from_outside_and_with_several_paths(self, simple: Bench) -> None:
        @tool
        def copy(source: str, target: str) -> str:
            "Copy."
            simple.ran.append(("copy", target))
            return "copied"

        paths = {"copy": [PathArgument("source", "read"), PathArgument("target", "write")]}
        rules = FileRules([FilesystemPermission(["read"], ["/secrets/**"], "interrupt")], tools=paths)
        script = [
            [
                call("copy", "c1", source="/ok", target="/secrets/x"),
                call("copy", "c2", source="/secrets/x", target="/ok"),
            ],
            "end",
        ]
        agent = simple.agent(script, [copy], permissions=rules)
        await simple.invoke(agent)
        assert [action.tool_call_id for action in await simple.pending(agent)] == ["c2"]


@needs_deepagents
class TestFileTools:
    """deepagents' own file tools, real files."""

    @pytest.fixture
    async def deep(self, mode: str, store: str, tmp_path: Path) -> Any:
        (tmp_path / "files" / "secrets").mkdir(parents=True)
        (tmp_path / "files" / "secrets" / "x").write_text("KEY")
        (tmp_path / "files" / "link").symlink_to(tmp_path / "files" / "secrets")
        bench = Bench("create_deep_agent", mode, store, tmp_path / "t.sqlite")
        await bench.open()
        yield bench
        await bench.close()

    def backend(self, bench: Bench) -> Any:
        from deepagents.backends import FilesystemBackend

        return FilesystemBackend(root_dir=bench.path.parent / "files", virtual_mode=True)

    async def test_a_protected_file_waits_also_behind_a_link(self, deep: Bench) -> None:
        paths = ["/secrets/x", "/link/x", "//secrets/x", "/secrets/../secrets/x"]
        script = [[call("read_file", path, file_path=path) for path in paths], "end"]
        agent = deep.agent(script, permissions=SECRETS, backend=self.backend(deep))
        await deep.invoke(agent)
        assert {action.tool_call_id for action in await deep.pending(agent)} == set(paths)
        result = await deep.resume(agent, {"decisions": {path: {"type": "reject"} for path in paths}})
        assert "KEY" not in str(result["messages"])

    async def test_a_denied_write_leaves_the_file_and_a_listing_leaves_it_out(self, deep: Bench) -> None:
        rules = [FilesystemPermission(["read", "write"], ["/secrets/**"], "deny")]
        script = [
            [
                call("edit_file", "c1", file_path="/secrets/x", old_string="KEY", new_string="no"),
                call("glob", "c2", pattern="**/x", path="/"),
                call("delete", "c3", file_path="/secrets"),
            ],
            "end",
        ]
        agent = deep.agent(script, permissions=rules, backend=self.backend(deep))
        result = await deep.invoke(agent)
        secret = deep.path.parent / "files" / "secrets" / "x"
        assert secret.read_text() == "KEY"
        assert results(result)["c1"][0] == results(result)["c3"][0] == "error"
        assert "rule deny /secrets/**" in results(result)["c1"][1]
        assert "/secrets/x" not in results(result)["c2"][1]

    async def test_an_approved_write_is_written_under_a_later_deny_rule_too(self, deep: Bench) -> None:
        rules = [*SECRETS, FilesystemPermission(["write"], ["/**"], "deny")]
        script = [
            [
                call("write_file", "c1", file_path="/secrets/n", content="1"),
                call("write_file", "c2", file_path="/n", content="2"),
            ],
            "end",
        ]
        agent = deep.agent(script, permissions=rules, backend=self.backend(deep))
        await deep.invoke(agent)
        assert [action.tool_call_id for action in await deep.pending(agent)] == ["c1"]
        result = await deep.resume(agent, [{"type": "approve"}])
        assert (deep.path.parent / "files" / "secrets" / "n").read_text() == "1"
        assert not os.path.exists(deep.path.parent / "files" / "n")
        assert results(result)["c2"][0] == "error"

    async def test_setting_the_tool_free_does_not_cancel_the_rule(self, deep: Bench) -> None:
        script = [call("write_file", "c1", file_path="/secrets/n", content="1"), "end"]
        agent = deep.agent(script, permissions=SECRETS, interrupt_on={"write_file": False}, backend=self.backend(deep))
        await deep.invoke(agent)
        assert [action.tool_call_id for action in await deep.pending(agent)] == ["c1"]


@pytest.mark.parametrize("raw", ["./", ".", "", "././", ".\\"])
def test_the_working_folder_is_also_judged_under_the_name_that_deepagents_gives_it(raw: str) -> None:
    hidden = FileRules([FilesystemPermission(["read"], ["/.*"], "deny")])
    assert hidden.judge("read_file", {"file_path": raw}).mode == "deny"
    assert hidden.judge("read_file", {"file_path": "/"}).mode == "allow"
