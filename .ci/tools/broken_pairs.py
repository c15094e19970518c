"""Build what is known not to work together, see it fail, see the doctor name it, and mend it with its command.

Each environment is installed for real, agentkit's wheel on top of it without its dependencies.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import time
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


AGENT = """
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langgraph.prebuilt import create_react_agent
create_react_agent(FakeListChatModel(responses=[]), [])
"""
DUMPS = "'JsonPlusSerializer' object has no attribute 'dumps'"
UNSATISFIABLE = "your requirements are unsatisfiable"


@dataclass(frozen=True)
class Broken:
    """What does not work together, how to get it, and what shows it.

    Attributes:
        install: Installed together.
        program: What fails; "" where it runs, and it is the installer that objects.
        error: What the failure says; or, where there is no program, the installer.
        command: The command that the doctor names.
        force: Installed on top without dependencies: pairs that no resolver allows.
        pip: Arguments of the environment's own pip, for what only pip does; run last.
        python: The version of Python.
        quick: Whether `--quick` builds it.
    """

    install: str
    program: str
    error: str
    command: str
    force: str = ""
    pip: str = ""
    python: str = "3.11"
    quick: bool = False


PIN = "pip install 'langgraph-prebuilt<=1.0.8'"
LG04 = "pip install 'langgraph-prebuilt<0.5' 'langgraph-checkpoint<3' 'langgraph-checkpoint-sqlite<3'"
SAVER = "pip install 'langgraph-checkpoint-sqlite>=3.0.3'"
CHAIN = "pip install 'langchain>=1.2.12'"
GRAPH = "pip install 'langgraph>=1.1.5'"
LG04_SAVER = "langgraph==0.4.10 langgraph-checkpoint-sqlite"
BROKEN = (
    # langgraph 1.0.0 to 1.1.4, with what is installed with it today
    Broken("langgraph==1.0.0", IMPORT, "ExecutionInfo", PIN),
    Broken("langgraph==1.0.10", IMPORT, "ExecutionInfo", PIN, quick=True),
    Broken("langgraph==1.1.2", IMPORT, "ExecutionInfo", PIN),
    Broken("langgraph==1.1.3", IMPORT, "ServerInfo", PIN),
    Broken("langgraph==1.1.4", IMPORT, "ServerInfo", PIN),
    Broken("langchain==1.0.0", IMPORT, "ExecutionInfo", PIN),
    Broken("langchain==1.0.2", IMPORT, "ExecutionInfo", PIN),
    *(
        Broken(f"langchain=={version}", AGENTS, "ExecutionInfo", PIN)
        for version in ("1.0.3", "1.0.8", "1.1.3", "1.2.0", "1.2.10")
    ),
    Broken("langchain==1.2.11 langgraph==1.1.0", AGENTS, "ExecutionInfo", CHAIN),
    # langgraph 0.4
    *(
        Broken(f"langgraph=={version} langgraph-checkpoint-sqlite", IMPORT, "langgraph.stream", LG04)
        for version in ("0.4.1", "0.4.5", "0.4.6", "0.4.7", "0.4.10")
    ),
    Broken(f"{LG04_SAVER} langgraph-prebuilt==0.2.3", SAVE, "not JSON serializable", LG04),
    Broken(f"{LG04_SAVER} langgraph-prebuilt==0.5.2", AGENT, "'input_schema'", LG04),
    Broken(f"{LG04_SAVER} langgraph-prebuilt==0.6.5", IMPORT, "langgraph._internal", LG04),
    # savers
    Broken("langgraph==0.6.11 langgraph-checkpoint-sqlite==2.0.10", SAVE, DUMPS, f"{SAVER[:-1]},<3.1'"),
    Broken("langgraph==1.0.10 langgraph-prebuilt==1.0.8 langgraph-checkpoint-sqlite==2.0.10", SAVE, DUMPS, SAVER),
    Broken("langgraph==1.1.10 langgraph-checkpoint-sqlite==2.0.10", SAVE, DUMPS, SAVER),
    Broken("langgraph==1.2.24 langgraph-checkpoint-sqlite==2.0.10", SAVE, DUMPS, SAVER, quick=True),
    *(
        Broken("langgraph==1.2.24", "", UNSATISFIABLE, SAVER, force=f"langgraph-checkpoint-sqlite=={version}")
        for version in ("1.0.0", "2.0.6", "2.0.11", "3.0.0", "3.0.1")
    ),
    Broken("langgraph==1.0.0", "", UNSATISFIABLE, GRAPH, force="langgraph-checkpoint-sqlite==3.0.3"),
    Broken(
        "langgraph==1.0.0 langgraph-prebuilt==1.0.1",
        "",
        UNSATISFIABLE,
        GRAPH,
        force="langgraph-checkpoint-sqlite==3.1.2",
    ),
    # others that no resolver allows
    Broken(
        "langgraph==1.2.24",
        "",
        UNSATISFIABLE,
        "pip install 'langgraph-prebuilt>=1.1.3'",
        force="langgraph-prebuilt==1.1.1",
    ),
    Broken("langgraph==1.2.24", "", UNSATISFIABLE, CHAIN, force="langchain==0.3.27"),
    Broken("", "", "langchain==1.5.2", "pip install 'langchain<1.5'", pip="--no-deps langchain==1.5.2", python="3.10"),
    Broken("", "", "deepagents==0.7.32", "pip uninstall deepagents", pip="--no-deps deepagents==0.7.32", python="3.10"),
    # files that pip removes
    *(
        Broken(
            "langgraph==0.2.76",
            "from langgraph.prebuilt import create_react_agent",
            error,
            f"pip install --force-reinstall --no-deps langgraph-prebuilt=={prebuilt}",
            pip=f"-U langgraph=={version}",
        )
        for version, prebuilt, error in (
            ("0.6.11", "0.6.5", "No module named 'langgraph.prebuilt'"),
            ("1.2.24", "1.1.3", "cannot import name 'create_react_agent'"),
        )
    ),
    # the rest
    Broken("langgraph==0.0.69 langchain-core==0.2.7 langsmith==0.1.77", IMPORT, "httpx", "pip install httpx"),
    Broken("", "", "yanked", "pip install 'langgraph==0.1.19'", force="langgraph==0.1.18"),
    *(
        Broken("", "", "yanked", f"pip install -U 'langgraph!={version}'", force=f"langgraph=={version}")
        for version in ("0.3.0", "0.4.4", "0.6.9", "1.1.7", "1.2.3")
    ),
    Broken("", "", "yanked", "pip install -U 'langgraph!=0.3.0'", force="langgraph-prebuilt==0.1.0"),
    *(
        Broken("", "", "yanked", f"pip install -U 'langchain!={version}'", force=f"langchain=={version}")
        for version in ("1.2.5", "1.3.5")
    ),
)


def main() -> int:
    """Build each; the exit code is 1 where one does not fail, is not named, or is not mended."""
    parser = argparse.ArgumentParser(prog=".ci/broken_pairs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only a few of them")
    parser.add_argument("only", nargs="*", help="only those that one of these texts is part of")
    options = parser.parse_args()
    wheel = build_wheel()
    folder = MATRIX / "broken"
    bad = 0
    for pair in BROKEN:
        label = " ".join(filter(None, [pair.install, pair.force, pair.pip and f"pip install {pair.pip}"]))
        if (options.quick and not pair.quick) or (options.only and not any(text in label for text in options.only)):
            continue
        started = time.monotonic()
        problems = _check(pair, wheel, folder)
        seconds = round(time.monotonic() - started)
        print(f"{label}: {'; '.join(problems) or 'fails, is named, is mended'} ({seconds}s)", flush=True)
        bad += bool(problems)
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


def _check(pair: Broken, wheel: Path, folder: Path) -> list[str]:
    python = folder / "bin" / "python"
    objection = _install(pair, python, folder)
    install_wheel(python, wheel)
    problems = []
    failed = _python(python, pair.program) if pair.program else None
    said = objection if failed is None else failed.stderr if failed.returncode else ""
    if pair.error not in " ".join(said.split()):
        problems.append(f"it does not fail with {pair.error!r}: {said[-200:]}")
    named = _named(python)
    if len(named) != 1 or not re.fullmatch(rf"{re.escape(pair.command)}( \(or .*\))?", named[0]):
        problems.append(f"the doctor says {named}, not {pair.command!r}")
    if failed is not None:
        refused = _python(python, "import agentkit; import agentkit.prebuilt")
        if pair.command not in refused.stderr.strip().rpartition("\n")[2]:
            problems.append(f"importing agentkit.prebuilt does not say it: {refused.stderr[-200:]}")
    verb, *arguments = shlex.split(pair.command)[1:]
    run([uv(), "pip", verb, "--quiet", "--python", python, *arguments], env=clean_env())
    still = _python(python, pair.program)
    if still.returncode or _named(python):
        problems.append(f"the command does not mend it: {_named(python)} {still.stderr[-200:]}")
    return problems


def _install(pair: Broken, python: Path, folder: Path) -> str:
    """Build the environment, and return what the installer objected to."""
    run([uv(), "venv", "--quiet", "--clear", "--python", interpreter(pair.python), folder])
    install = [uv(), "pip", "install", "--python", python]
    objection = ""
    if not pair.program:
        wanted = " ".join([pair.install, pair.force, pair.pip.replace("--no-deps", "")]).split()
        command = [*install, "--dry-run", *wanted]
        objection = subprocess.run(command, env=clean_env(), text=True, capture_output=True, check=False).stderr
    if pair.install:
        run([*install, "--quiet", *pair.install.split()])
    if pair.force:
        run([*install, "--quiet", "--no-deps", *pair.force.split()])
    if pair.pip:
        run([*install, "--quiet", "pip"])
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--ignore-requires-python"]
        run([*pip, *pair.pip.split()], env=clean_env())
    return objection


def _named(python: Path) -> list[str]:
    """The commands of the doctor's sentences, but for what is missing of agentkit's own requirements."""
    doctor = _python(python, "import sys; from agentkit.cli import main; sys.exit(main(['doctor']))")
    problems = [line for line in doctor.stdout.splitlines() if line.startswith("PROBLEM ")]
    return [
        line.partition("; run: ")[2].rstrip(".")
        for line in problems
        if not line.startswith(("PROBLEM langgraph-agentkit", "PROBLEM langchain-core is not installed"))
    ]


def _python(python: Path, program: str) -> subprocess.CompletedProcess[str]:
    command = [python, "-W", "ignore", "-c", program]
    return subprocess.run(command, env=clean_env(), text=True, capture_output=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
