"""What `agentkit doctor` prints beside the known-bad pairs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentkit import __version__
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


def test_a_notebook_is_scanned_over_its_cells_magics_and_all(tmp_path: Path) -> None:
    cells = [
        ["%load_ext agentkit\n", "!pip list\n", "from langgraph.prebuilt import create_react_agent\n"],
        "%%bash\nfrom langgraph.prebuilt import ValidationNode",
        "agent = create_react_agent(model, [])\n",
    ]
    notebook = {"cells": [{"cell_type": "code", "source": source} for source in cells]}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    assert diagnose([tmp_path]).legacy == {str(tmp_path / "a.ipynb"): {"create_react_agent": 2}}


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


@pytest.mark.parametrize(
    ("came_from", "shown", "hidden"),
    [
        ("0.2.40", "ToolExecutor", "create_agent_executor"),
        ("0.6.11", "An exception in a tool is raised", '"v2"'),
        ("1.2.24", "edited tool call", "recursion limit"),
        ("langchain==1.4.1", "edited tool call", "handle_tool_errors"),
        ("langgraph-prebuilt==1.0.1", "Missing required config key", "context_schema"),
    ],
)
def test_from_a_version_lists_what_changed_after_it(came_from: str, shown: str, hidden: str) -> None:
    changes = " ".join(diagnose(came_from=came_from).changes)
    assert shown in changes
    assert hidden not in changes


def test_from_the_newest_versions_nothing_has_changed() -> None:
    assert changes_since("langchain", "1.5.2") == []
    assert changes_since("langgraph-prebuilt", "1.1.3") == []
    assert changes_since("langgraph", "0.0.1") == list(CHANGES)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--from", "newest"], "'newest' is not a version"),
        (["--from", "numpy==1.0"], "no changes are recorded for 'numpy'"),
        (["absent/"], "there is no file or folder 'absent'"),
    ],
)
def test_a_wrong_argument_is_refused_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert main(["doctor", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_requirement_that_is_not_met_is_named(site: Callable[..., Path], doctor: Callable[..., Any]) -> None:
    versions = {"langchain": "1.5.2", "langchain-core": "1.4.0", "langgraph": "1.2.24"}
    done = doctor(site(versions, {"langchain": ["langchain-core>=1.8.0,<2"]}))
    assert done.returncode == 1
    assert "langchain 1.5.2 needs langchain-core<2,>=1.8.0, installed is 1.4.0; run: pip install" in done.stdout


def test_the_doctor_runs_where_nothing_of_langchain_is_installed(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    done = doctor(site({}))
    assert done.returncode == 1
    assert f"langgraph-agentkit {__version__} needs langchain<2,>=1.2.12, which is not installed" in done.stdout
    assert "Traceback" not in done.stderr
