"""`agentkit demo` does what it says: pauses, is killed, is resumed by another process."""

from __future__ import annotations

import os
import pty
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import agentkit.demo

DEMO = [sys.executable, "-m", "agentkit.cli", "demo"]


@pytest.mark.slow(reason="the demo starts four Pythons; .ci/wheel runs it too")
def test_the_demo_pauses_resumes_and_ends_without_a_terminal_or_a_key(tmp_path: Path) -> None:
    done = subprocess.run(
        [*DEMO, "--keep", str(tmp_path)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    out = done.stdout
    assert done.stderr == ""
    order = [
        "paused before tools:",
        "-> save_note({'text': 'the demo works'})",
        "That process is killed.",
        "no terminal to ask in, so the demo answers: yes",
        "tool: saved note 1: the demo works",
        "ai: done: saved note 1: the demo works, 3",
        "Built by langchain.agents.create_agent",
    ]
    places = [out.index(text) for text in order]
    assert places == sorted(places)
    with closing(sqlite3.connect(tmp_path / "threads.sqlite")) as threads:
        assert threads.execute("select count(*) from checkpoints").fetchone()[0] > 3


@pytest.mark.slow(reason="the demo starts four Pythons; .ci/wheel runs it too")
def test_the_demo_asks_in_a_terminal_and_takes_no_for_an_answer() -> None:
    main, terminal = pty.openpty()
    process = subprocess.Popen(DEMO, stdin=terminal, stdout=subprocess.PIPE, text=True)
    os.write(main, b"no\n")
    out, _ = process.communicate(timeout=120)
    os.close(main)
    os.close(terminal)
    assert process.returncode == 0
    assert "run these tools? [Y/n]" in out
    assert out.count("tool: The person said no.") == 2
    assert "tool: saved" not in out


def test_the_demos_script_knows_nothing_of_agentkit() -> None:
    text = (Path(agentkit.demo.__file__).parent / "_scripts" / "legacy_agent.py").read_text()
    assert "from langgraph.prebuilt import create_react_agent" in text
    assert "import agentkit" not in text
    assert "from agentkit" not in text
