"""What `agentkit doctor` prints beside the known-bad pairs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import agentkit.doctor
from agentkit import __version__
from agentkit._compat import release
from agentkit.cli import main
from agentkit.doctor import CHANGES, changes_since, diagnose

LEGACY = """
from langgraph.prebuilt import create_react_agent as build, ToolNode
from langgraph.prebuilt.chat_agent_executor import AgentState
import langgraph.prebuilt

class State(AgentState): ...

agent = build("model", [], state_schema=State)
check = langgraph.prebuilt.ValidationNode([])
"""


def test_a_good_environment_exits_0_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "No known problem." in printed
    assert "langchain " in printed
    assert "supported: " in printed


def test_json_has_the_same_findings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    assert main(["doctor", "--json", "--from", "0.6.11", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == vars(diagnose([tmp_path], "0.6.11"))
    assert found["problems"] == []


def test_legacy_names_are_counted_by_file_under_their_own_name(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(LEGACY)
    (tmp_path / "clean.py").write_text("from langgraph.prebuilt import ToolNode\n")
    (tmp_path / "shim.py").write_text("from agentkit.prebuilt import create_react_agent\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/lib.py").write_text(LEGACY)
    found = diagnose([tmp_path])
    assert found.legacy == {str(tmp_path / "app.py"): {"AgentState": 2, "ValidationNode": 1, "create_react_agent": 2}}
    assert found.unreadable == []


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_scanned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("print 'prebuilt'\n")
    (tmp_path / "b.py").write_text("from langgraph.prebuilt import create_react_agent\n")
    assert main(["doctor", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert f"{tmp_path / 'b.py'}: create_react_agent 1" in printed
    assert f"not read: {tmp_path / 'a.py'}: SyntaxError" in printed


def test_from_before_the_change_of_the_error_default_says_what_to_pass(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["doctor", "--from", "1.0.0"])
    assert "handle_tool_errors=True" in capsys.readouterr().out


GRAPH = "0.1.6 0.1.9*2 0.2.0 0.2.37 0.2.40*2 0.2.44 0.2.68 0.3.0*3 1.0.6"
PREBUILT = "0.2.0*2 0.6.0*2 0.6.4 1.0.0 1.0.2*5 1.0.6 1.0.11"
CHAIN = "1.0.3 1.0.4 1.0.5 1.1.0*3 1.2.4 1.2.13 1.2.14 1.2.17 1.3.3 1.3.4 1.3.15 1.3.17 1.4.2 1.5.0 1.5.2"
NEWEST = {"langgraph": "1.2.24", "langgraph-prebuilt": "1.1.3", "langchain": "1.5.2"}
MIN = {"langgraph": "1.1.10", "langgraph-prebuilt": "1.0.13", "langchain": "1.2.12"}


@pytest.mark.parametrize(
    ("came_from", "installed", "langgraph", "prebuilt", "langchain"),
    [
        ("0.0.69", NEWEST, GRAPH, PREBUILT, CHAIN),
        ("0.2", NEWEST, "0.2.37 0.2.40*2 0.2.44 0.2.68 0.3.0*3 1.0.6", PREBUILT, CHAIN),
        ("0.2.40", NEWEST, "0.2.44 0.2.68 0.3.0*3 1.0.6", PREBUILT, CHAIN),
        ("0.3.34", NEWEST, "1.0.6", PREBUILT, CHAIN),
        ("0.6.11", NEWEST, "1.0.6", "1.0.0 1.0.2*5 1.0.6 1.0.11", CHAIN),
        ("1.0.0", NEWEST, "1.0.6", "1.0.2*5 1.0.6 1.0.11", CHAIN),
        ("1.0.5", NEWEST, "1.0.6", "1.0.6 1.0.11", CHAIN),
        ("1.0.5", MIN, "1.0.6", "1.0.6 1.0.11", "1.0.3 1.0.4 1.0.5 1.1.0*3 1.2.4"),
        ("1.1.10", NEWEST, "", "", "1.2.13 1.2.14 1.2.17 1.3.3 1.3.4 1.3.15 1.3.17 1.4.2 1.5.0 1.5.2"),
        ("1.2.0", NEWEST, "", "", "1.3.3 1.3.4 1.3.15 1.3.17 1.4.2 1.5.0 1.5.2"),
        ("1.2.24", NEWEST, "", "", "1.3.3 1.3.4 1.3.15 1.3.17 1.4.2 1.5.0 1.5.2"),
        ("1.1.10", MIN, "", "", ""),
        ("langchain==1.4.1", NEWEST, "", "", "1.4.2 1.5.0 1.5.2"),
        ("langchain==1.3.4", {"langchain": "1.4.10"}, "", "", "1.3.15 1.3.17 1.4.2"),
        ("langchain==1.5.2", NEWEST, "", "", ""),
        ("langgraph-prebuilt==1.0.1", NEWEST, "", "1.0.2*5 1.0.6 1.0.11", ""),
        ("langgraph-prebuilt==1.1.3", NEWEST, "", "", ""),
    ],
)
def test_from_a_version_lists_what_changed_after_it_up_to_what_is_installed(
    came_from: str, installed: dict[str, str], langgraph: str, prebuilt: str, langchain: str
) -> None:
    package, _, version = came_from.rpartition("==")
    found = changes_since(package or "langgraph", version, installed)
    expected = {"langgraph": langgraph, "langgraph-prebuilt": prebuilt, "langchain": langchain}
    assert [f"{change.package} {change.version}" for change in found] == [
        f"{name} {version}"
        for name, versions in expected.items()
        for version, _, count in (item.partition("*") for item in versions.split())
        for _ in range(int(count or 1))
    ]


def test_the_doctor_stops_at_the_versions_that_are_installed(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    printed = doctor(site(MIN), "--from", "1.0.5").stdout
    assert "langchain 1.2.4: " in printed
    assert "langchain 1.2.13: " not in printed


def test_changes_are_listed_by_package_oldest_first() -> None:
    packages = list(dict.fromkeys(change.package for change in CHANGES))
    assert list(CHANGES) == sorted(CHANGES, key=lambda c: (packages.index(c.package), release(c.version)))
    assert len({change.text for change in CHANGES}) == len(CHANGES)
    assert changes_since("langgraph", "0.0.1") == list(CHANGES)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--from", "newest"], "'newest' is not a version"),
        (["--from", "0.6.11foo"], "'0.6.11foo' is not a version"),
        (["--from", "0.6.x"], "'0.6.x' is not a version"),
        (["--from", "numpy==1.0"], "no changes are recorded for 'numpy'"),
        (["--from", "9.9"], "langgraph 9.9 is newer than the installed "),
        (["--from", "langchain==2.0"], "langchain 2.0 is newer than the installed "),
        (["absent/"], "there is no file or folder 'absent'"),
    ],
)
def test_a_wrong_argument_is_refused_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert main(["doctor", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_requirement_that_is_not_met_is_named(site: Callable[..., Path], doctor: Callable[..., Any]) -> None:
    versions = {"langchain": "1.4.10", "langchain-core": "1.4.0", "langgraph": "1.2.24"}
    done = doctor(site(versions, {"langchain": ["langchain-core>=1.8.0,<2"]}))
    assert done.returncode == 1
    assert "langchain 1.4.10 needs langchain-core<2,>=1.8.0, installed is 1.4.0; run: pip install" in done.stdout


def test_more_than_one_problem_comes_with_one_command_that_mends_all_of_them(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    done = doctor(site({"langchain": "1.5.2", "langchain-core": "1.5.0", "langgraph": "1.1.5"}))
    assert done.stdout.count("PROBLEM") > 1
    assert "All of it at once: pip install -U langgraph-agentkit " in done.stdout
    assert {"langchain", "langchain-core", "langgraph"} <= set(done.stdout.rpartition("All of it")[2].split())


def test_a_package_name_is_taken_in_any_spelling() -> None:
    assert diagnose(came_from="LangChain == 1.1.0").changes == diagnose(came_from="langchain==1.1.0").changes


def test_a_scan_that_finds_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", str(tmp_path)])
    assert "No legacy names" in capsys.readouterr().out
    main(["doctor"])
    assert "No legacy names" not in capsys.readouterr().out


def test_a_reader_that_stops_reading_is_no_traceback() -> None:
    command = f"{sys.executable} -m agentkit.cli doctor | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_the_doctor_runs_where_nothing_of_langchain_is_installed(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    done = doctor(site({}))
    assert done.returncode == 1
    assert f"langgraph-agentkit {__version__} needs langchain<2,>=1.2.12, which is not installed" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_pair_whose_own_remedy_is_too_old_for_agentkit_comes_with_one_that_is_not(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    old = {"langgraph": "1.1.4", "langgraph-prebuilt": "1.0.13", "langgraph-checkpoint-sqlite": "3.0.3"}
    done = doctor(site({"langchain": "1.2.18", "langchain-core": "1.6.0", **old}))
    assert done.stdout.count("PROBLEM") == 1, done.stdout
    assert "All of it at once: pip install -U langgraph-agentkit " in done.stdout


GOOD = {
    "langchain": "1.4.10",
    "langchain-core": "1.8.3",
    "langgraph": "1.2.24",
    "langgraph-prebuilt": "1.1.3",
    "langgraph-checkpoint": "4.3.2",
    "langgraph-checkpoint-sqlite": "3.1.2",
}


def problems(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stdout.splitlines() if line.startswith("PROBLEM ")]


def test_a_package_of_an_extra_that_is_too_old_is_named_and_not_what_it_wants_itself(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    needs = {"langgraph-checkpoint-postgres": ["langgraph-checkpoint<3.0.0,>=2.0.21"]}
    done = doctor(site({**GOOD, "langgraph-checkpoint-postgres": "2.0.25"}, needs))
    assert problems(done) == [
        f"PROBLEM langgraph-agentkit {__version__} needs langgraph-checkpoint-postgres>=3, installed is 2.0.25; "
        "run: pip install 'langgraph-checkpoint-postgres>=3'."
    ]
    assert done.returncode == 1


def test_two_that_each_want_another_version_of_the_other_are_both_named(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    needs = {"langgraph": ["langgraph-checkpoint>=5"], "langgraph-checkpoint": ["langgraph<1"]}
    done = doctor(site(GOOD, needs))
    assert len(problems(done)) == 2, done.stdout
    assert "All of it at once: pip install -U langgraph-agentkit " in done.stdout


@pytest.mark.skipif(sys.version_info < (3, 11), reason="deepagents needs Python 3.11")
def test_a_deepagents_that_is_too_old_is_named_once(site: Callable[..., Path], doctor: Callable[..., Any]) -> None:
    (named,) = problems(doctor(site({**GOOD, "deepagents": "0.2.8"})))
    assert named.endswith(" needs deepagents>=0.6.8, installed is 0.2.8; run: pip install 'deepagents>=0.6.8'.")


def test_an_extra_that_is_not_installed_is_no_problem(site: Callable[..., Path], doctor: Callable[..., Any]) -> None:
    assert "No known problem." in doctor(site(GOOD)).stdout


@pytest.mark.parametrize("version", ["unknown", "1.x", ""])
def test_a_version_that_is_none_is_named_with_the_command_that_reinstalls_it(
    site: Callable[..., Path], doctor: Callable[..., Any], version: str
) -> None:
    done = doctor(site({**GOOD, "langgraph": version}), "--from", "1.0.0")
    assert done.stderr == ""
    (named,) = problems(done)
    assert named.startswith(f"PROBLEM langgraph {version or 'unknown'}: ")
    assert named.endswith("; run: pip install --force-reinstall --no-deps langgraph.")
    assert "langgraph 1.0.6: " in done.stdout


def test_beside_a_version_that_is_none_no_upgrade_is_offered_that_would_not_mend_it(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    done = doctor(site({**GOOD, "langgraph": "unknown", "langchain": "1.2.0"}))
    assert len(problems(done)) == 2, done.stdout
    assert "All of it at once" not in done.stdout


def test_only_changes_that_the_scanned_code_can_notice_are_listed_those_it_uses_first(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("\nfrom langchain.agents.middleware import HumanInTheLoopMiddleware\n")
    found = diagnose([tmp_path], "langchain==1.3.1").changes
    everything = diagnose(came_from="langchain==1.3.1").changes
    assert found[0] == f"{everything[0]} ({tmp_path / 'app.py'}:2)"
    assert "langchain 1.5.0: " in found[-1]  # no name in it: it is for everyone
    assert not any("ToolNode" in change for change in diagnose([tmp_path], "1.0.0").changes)


def test_every_change_is_read(tmp_path: Path) -> None:
    text = (Path(agentkit.doctor.__file__).parent / "changes.md").read_text()
    assert text.count("\n- ") == len(CHANGES)
    assert all(name in text for change in CHANGES for name in change.names)
