"""What the type checkers say about `interrupt_on`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
CHECKERS = {"mypy": [sys.executable, "-m", "mypy", "--no-incremental"], "pyright": [str(BIN / "pyright")]}
PROGRAM = """
from typing import Any
from langchain.agents.middleware import InterruptOnConfig as Langchains
from agentkit.agents import create_agent
from agentkit.middleware import HumanInTheLoopMiddleware, InterruptOnConfig

mine: InterruptOnConfig = {"allowed_decisions": ["approve", "reject"], "on_restart": "run"}
theirs: dict[str, bool | Langchains] = {"send": {"allowed_decisions": ["approve"]}, "look": False}
untyped: dict[str, Any] = {"send": {"allowed_decisions": ["approve"]}}
HumanInTheLoopMiddleware({"send": True, "look": mine, "delete_*": {"allowed_decisions": ["respond"]}})
HumanInTheLoopMiddleware(theirs)
HumanInTheLoopMiddleware(untyped)
create_agent("m", [], interrupt_on={"send": True, "look": mine})
HumanInTheLoopMiddleware({"send": {"allowed_decisions": ["aprove"]}})  # wrong
create_agent("m", [], interrupt_on={"send": {"allowed_decisions": ["aprove"]}})  # wrong
create_agent("m", [], interrupt_on={"send": {"allowed_decisions": ["approve"], "on_restart": "twice"}})  # wrong
create_agent("m", [], interrupt_on={"send": "yes"})  # wrong
"""


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_misspelt_decision_fails_and_every_valid_form_passes(checker: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="the type checkers are not installed")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    command = [*CHECKERS[checker], *(["--pythonpath", sys.executable] if checker == "pyright" else []), str(file)]
    done = subprocess.run(command, text=True, capture_output=True, check=False, cwd=tmp_path)
    lines = done.stdout.splitlines()
    reported = {int(line.split(":")[1]) for line in lines if "program.py:" in line and "error" in line}
    assert reported == {n for n, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")}, done.stdout
