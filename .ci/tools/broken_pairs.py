"""Build the version pairs that are known not to work, see them fail, and see the doctor name them.

Each environment is installed for real, agentkit's wheel on top of it without its dependencies.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from envs import MATRIX, build_wheel, clean_env, install_wheel, interpreter, run, uv

IMPORT = "import langgraph.prebuilt"
AGENTS = "import langchain.agents"
SAVE = """
import sqlite3
from typing import TypedDict
from langchain_core.messages import AIMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import StateGraph
graph = StateGraph(TypedDict("State", {"x": object}))
graph.add_node("n", lambda state: {"x": AIMessage("hi")})
graph.set_entry_point("n")
saver = SqliteSaver(sqlite3.connect(":memory:", check_same_thread=False))
graph.compile(checkpointer=saver).invoke({"x": 1}, {"configurable": {"thread_id": "t"}})
"""


@dataclass(frozen=True)
class Broken:
    """A pair, how to get it, and what shows that it is broken.

    Attributes:
        install: Installed together, as pip would.
        force: Installed on top without dependencies: pairs that no resolver allows.
        program: What fails.
        error: What the failure says.
        named: What the doctor's sentence contains.
    """

    install: str
    force: str
    program: str
    error: str
    named: str


PIN = "pip install 'langgraph-prebuilt<=1.0.8'"
OLD_PINS = "pip install 'langgraph-prebuilt<0.5' 'langgraph-checkpoint<3'"
BROKEN = (
    Broken("langgraph==1.0.0", "langgraph-prebuilt==1.0.13", IMPORT, "ExecutionInfo", PIN),
    Broken("langgraph==1.0.10", "", IMPORT, "ExecutionInfo", PIN),
    Broken("langgraph==1.1.2", "", IMPORT, "ExecutionInfo", PIN),
    Broken("langgraph==1.1.3", "", IMPORT, "ServerInfo", PIN),
    Broken("langgraph==1.1.4", "", IMPORT, "ServerInfo", PIN),
    Broken("langchain==1.0.0", "", IMPORT, "ExecutionInfo", PIN),
    Broken("langchain==1.0.3", "", AGENTS, "ExecutionInfo", PIN),
    Broken("langchain==1.2.10", "", AGENTS, "ExecutionInfo", PIN),
    Broken("langchain==1.2.11 langgraph==1.1.0", "", AGENTS, "ExecutionInfo", "pip install 'langchain>=1.2.12'"),
    Broken("langgraph==0.4.5", "", IMPORT, "langgraph.stream", OLD_PINS),
    Broken("langgraph==0.4.10", "", IMPORT, "langgraph.stream", OLD_PINS),
    Broken("langgraph==0.4.10", "langgraph-prebuilt==0.6.5", IMPORT, "langgraph._internal", OLD_PINS),
    Broken(
        "langgraph==0.4.10 langgraph-prebuilt==0.2.3 langgraph-checkpoint-sqlite==2.0.11",
        "langgraph-checkpoint==4.3.2",
        SAVE,
        "Error",
        "pip install 'langgraph-checkpoint<3'",
    ),
    Broken(
        "langgraph==1.2.24 langgraph-checkpoint-sqlite==2.0.10",
        "",
        SAVE,
        "'JsonPlusSerializer' object has no attribute 'dumps'",
        "pip install 'langgraph-checkpoint-sqlite>=3.0.3'",
    ),
)


def main() -> int:
    """Build each; the exit code is 1 where one does not fail, or is not named."""
    parser = argparse.ArgumentParser(prog=".ci/broken_pairs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first", type=int, default=len(BROKEN), help="only so many (default: all)")
    options = parser.parse_args()
    wheel = build_wheel()
    folder = MATRIX / "broken"
    good = True
    for pair in BROKEN[: options.first]:
        problems = _check(pair, wheel, folder)
        print(f"{pair.install} {pair.force}: {'; '.join(problems) or 'fails and is named'}", flush=True)
        good = good and not problems
    shutil.rmtree(folder, ignore_errors=True)
    return 0 if good else 1


def _check(pair: Broken, wheel: Path, folder: Path) -> list[str]:
    python = folder / "bin" / "python"
    run([uv(), "venv", "--quiet", "--clear", "--python", interpreter("3.11"), folder])
    run([uv(), "pip", "install", "--quiet", "--python", python, *pair.install.split()])
    if pair.force:
        run([uv(), "pip", "install", "--quiet", "--python", python, "--no-deps", *pair.force.split()])
    install_wheel(python, wheel)
    problems = []
    failed = _python(python, pair.program)
    if failed.returncode == 0 or pair.error not in failed.stderr:
        problems.append(f"it does not fail with {pair.error!r}: {failed.stderr[-200:]}")
    doctor = _python(python, "import sys; from agentkit.cli import main; sys.exit(main(['doctor']))")
    if doctor.returncode != 1 or pair.named not in doctor.stdout:
        problems.append(f"the doctor does not say {pair.named!r}: {doctor.stdout[-400:]}{doctor.stderr[-200:]}")
    refused = _python(python, "import agentkit; import agentkit.prebuilt")
    if "pip install" not in refused.stderr.strip().rpartition("\n")[2]:
        problems.append(f"importing agentkit.prebuilt does not say it: {refused.stderr[-200:]}")
    return problems


def _python(python: Path, program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, "-c", program], env=clean_env(), text=True, capture_output=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
