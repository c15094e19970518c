"""The data of the version matrix, and the pytest plugin that runs upstream's own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

from tests.legacy import needs_upstream

ROOT = Path(__file__).parents[2]
tomllib: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
MATRIX: dict[str, Any] = tomllib.loads((ROOT / "matrix.toml").read_text())
ROWS = {row["name"]: row for row in MATRIX["row"]}
PINNED = [row for row in MATRIX["row"] if not row.get("prerelease")]


def test_each_turning_point_of_upstream_has_a_row() -> None:
    langchains = {row["langchain"] for row in PINNED}
    assert langchains >= {
        *("1.2.12", "1.2.16", "1.2.18", "1.3.0", "1.3.3", "1.3.14", "1.3.18"),
        *("1.4.1", "1.4.2", "1.4.6", "1.4.10"),
    }
    assert {"min", "3.10", "latest", "next"} <= set(ROWS)
    assert {row["python"] for row in MATRIX["row"]} == {"3.10", "3.11", "3.12", "3.13"}


def test_the_quick_rows_are_the_oldest_the_newest_on_310_and_the_newest() -> None:
    assert [row["name"] for row in MATRIX["row"] if row.get("quick")] == ["min", "3.10", "latest"]
    assert all((ROOT / path).exists() for path in MATRIX["quick"]["paths"])


def test_the_nightly_workflow_runs_each_row() -> None:
    listed = re.search(r"row: \[(.*)\]", (ROOT / ".github/workflows/matrix.yml").read_text())
    assert listed is not None
    assert [name.strip(' "') for name in listed[1].split(",")] == [row["name"] for row in PINNED]


def test_the_oldest_row_is_what_the_package_asks_for_at_least() -> None:
    floors = dict(
        re.findall(r"^([\w-]+).*?>=([\d.]+)", "\n".join(metadata.requires("langgraph-agentkit") or ()), re.MULTILINE)
    )
    for name in ("langchain", "langchain-core", "langgraph", "langgraph-checkpoint-sqlite"):
        assert ROWS["min"][name] == floors[name]


@pytest.mark.parametrize("row", PINNED, ids=lambda row: row["name"])
def test_no_row_is_a_pair_that_the_doctor_calls_bad(row: dict[str, str]) -> None:
    from agentkit._compat import WATCHED, known_bad

    assert known_bad({name: version for name, version in row.items() if name in WATCHED}) == []


@pytest.mark.parametrize("file", sorted((ROOT / ".ci/expectations").glob("*.toml")), ids=lambda file: file.stem)
def test_each_expected_failure_has_a_reason(file: Path) -> None:
    for entry in tomllib.loads(file.read_text()).get("expected_failure", []):
        assert entry["test"].partition("::")[0].endswith(".py")
        assert len(entry["reason"]) > 20


SUITE = """
def test_good(): pass
def test_bad(): assert 0
def test_listed(): assert 0
"""
LISTED = """
[[expected_failure]]
test = "suite/test_it.py::test_listed"
reason = "It cannot pass here."
"""


@needs_upstream
@pytest.mark.parametrize(
    ("expectations", "chosen", "code", "says"),
    [
        (LISTED, "test_good or test_listed", 0, "1 passed, 1 deselected, 1 xfailed"),
        (LISTED, "test_bad", 1, "1 failed"),
        (LISTED.replace("listed", "good"), "test_good", 1, "1 failed"),
        (LISTED + LISTED.replace("listed", "absent"), "", 4, "no such test: suite/test_it.py::test_absent"),
    ],
    ids=["expected failure", "new failure", "unexpected pass", "stale entry"],
)
def test_the_runner_of_upstreams_tests_judges_by_the_expectations(
    tmp_path: Path, expectations: str, chosen: str, code: int, says: str
) -> None:
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite/test_it.py").write_text(SUITE)
    (tmp_path / "expected.toml").write_text(expectations)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "in_place", "-p", "no:randomly", "suite"]
    options = ["--expectations=expected.toml", "--agentkit-in-place", *(["-k", chosen] if chosen else [])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".ci/tools"), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*command, *options], cwd=tmp_path, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert says in done.stdout
