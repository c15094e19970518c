"""`agentkit demo`: a legacy script, unmodified, on create_agent: paused, killed, resumed from SQLite."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PROMPT = "run these tools?"


def main(argv: Sequence[str]) -> int:
    """Run the demo.

    Args:
        argv: The arguments after `agentkit demo`.

    Returns:
        0 where the thread was resumed to its end, else the failing process's exit code.
    """
    parser = argparse.ArgumentParser(
        prog="agentkit demo",
        description="Run a script written for langgraph.prebuilt, unmodified, on create_agent: it pauses before its "
        "tools, is killed, and is resumed by a second process from SQLite. AGENTKIT_MODEL=provider:name uses a real "
        "model; without it the model is scripted and no key is needed.",
        epilog="exit: 0 the thread went on to its end, 2 a wrong command line, 130 interrupted, else the script's own",
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the script and its threads in FOLDER")
    options = parser.parse_args(argv)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
        return _run(options.keep)
    with tempfile.TemporaryDirectory(prefix="agentkit-demo-") as folder:
        return _run(Path(folder))


def _run(folder: Path) -> int:
    for name in ("legacy_agent.py", "model.py"):
        shutil.copyfile(Path(__file__).parent / "_scripts" / name, folder / name)
    script, threads = folder / "legacy_agent.py", folder / "threads.sqlite"
    threads.unlink(missing_ok=True)
    _say(f"{script.name} imports create_react_agent from langgraph.prebuilt. It runs as it is:")
    _say(f"$ agentkit run {script.name} {threads.name}")
    code = _pause_and_kill(script, threads)
    if code:
        return code
    _say(f"That process is killed. The thread is in {threads.name}.")
    answer = _ask()
    _say(f"$ agentkit run {script.name} {threads.name} {answer}")
    code = subprocess.run(_command(script, threads, answer), env=_environment(), check=False).returncode
    if not code:
        _say("Built by langchain.agents.create_agent, in a second process, from the stored thread.")
    return code


def _pause_and_kill(script: Path, threads: Path) -> int:
    """Show what the script prints up to its question, and kill it there."""
    process = subprocess.Popen(
        _command(script, threads), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
    )
    assert process.stdout is not None
    said = b""
    while PROMPT.encode() not in said:
        byte = process.stdout.read(1)
        if not byte:
            print(said.decode(), end="")
            return process.wait() or 1
        said += byte
    print(said.decode())
    process.kill()
    process.communicate()
    return 0


def _ask() -> str:
    if not sys.stdin.isatty():
        _say("There is no terminal to ask in, so the demo answers: yes.")
        return "yes"
    return "no" if input(f"{PROMPT} [Y/n] ").strip().lower().startswith("n") else "yes"


def _command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "agentkit", "run", *map(str, arguments)]


def _environment() -> dict[str, str]:
    # The legacy script's warnings are for its owner, not for the demo's reader.
    return {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}


def _say(text: str) -> None:
    print(text, flush=True)
