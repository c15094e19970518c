"""A langgraph from which what it has deprecated is deleted, and agentkit on it.

Builds the environment of the matrix row `latest`, deletes the deprecated modules and names from the
installed langgraph-prebuilt, and runs there: agentkit's suite (but for the tests that compare with what
is gone), the demo, and `agentkit run` on a script that imports `langgraph.prebuilt`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tomllib
from envs import MATRIX, ROOT, build_wheel, clean_env, install_wheel, make_env, run
from matrix import EVERYTHING, carry_suite, requirements_of

GONE_MODULES = ("chat_agent_executor", "tool_validator", "interrupt")
GONE_NAMES = ("create_react_agent", "ValidationNode")
SCRIPT = '''
from langgraph.prebuilt import ToolNode, ValidationNode, create_react_agent, tools_condition
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.prebuilt.interrupt import HumanInterrupt
import langgraph.prebuilt.tool_validator
from agentkit.testing import ScriptedChatModel, call

def add(a: int, b: int) -> int:
    """Add."""
    return a + b

class State(AgentState):
    note: str

model = ScriptedChatModel(script=[call("add", a=1, b=2)])
agent = create_react_agent(model, ToolNode([add]), state_schema=State)
print(agent.invoke({"messages": [("user", "1 + 2?")]})["messages"][-1].content)
'''


def main() -> int:
    """Build, delete, run; the exit code is 1 where something is red."""
    parser = argparse.ArgumentParser(prog=".ci/simulated_2_0", description=__doc__)
    parser.add_argument("--workers", default="2", help="how many processes pytest starts (default: 2)")
    parser.add_argument("--quick", action="store_true", help="of the suite, the paths of [quick] in matrix.toml")
    options = parser.parse_args()
    data = tomllib.loads((ROOT / "matrix.toml").read_text())
    row = next(row for row in data["row"] if row["name"] == "latest")
    wheel = build_wheel()
    python = make_env(MATRIX / "envs" / "simulated-2.0", row["python"], *requirements_of(row, wheel))
    install_wheel(python, wheel)
    delete_deprecated(python)
    with tempfile.TemporaryDirectory(prefix="agentkit-2-0-") as folder:
        good = _refuses_plain(python, Path(folder))
        good = _passes(python, "agentkit run", ["run", "app.py"], "done: 3", Path(folder)) and good
        good = _passes(python, "agentkit demo", ["demo"], "done: saved note 1", Path(folder)) and good
        good = _passes(python, "agentkit doctor", ["doctor"], "No known problem.", Path(folder)) and good
        paths = set(data["quick"]["paths"] if options.quick else ["tests"]) - set(data["simulated"]["without"])
        left_out = [f"--ignore={path}" for path in data["simulated"]["without"]]
        good = _suite(python, Path(folder), ["-n", options.workers, *sorted(paths), *left_out]) and good
    return 0 if good else 1


def delete_deprecated(python: Path) -> None:
    """Delete the modules and the names from the installed package, and from the list of its files."""
    code = "import langgraph.types, pathlib; print(pathlib.Path(langgraph.types.__file__).parent)"
    package = Path(run([python, "-c", code], env=clean_env()).stdout.strip()) / "prebuilt"
    for module in GONE_MODULES:
        (package / f"{module}.py").unlink(missing_ok=True)
    init = package / "__init__.py"
    text = init.read_text()
    for name in GONE_NAMES:
        text = re.sub(rf"^from .* import {name}\n", "", text, flags=re.MULTILINE)
        text = re.sub(rf'^\s*"{name}",\n', "", text, flags=re.MULTILINE)
    _replace(init, text)
    (record,) = package.parents[1].glob("langgraph_prebuilt-*.dist-info/RECORD")
    gone = tuple(f"langgraph/prebuilt/{module}.py" for module in GONE_MODULES)
    _replace(record, "".join(line for line in record.read_text().splitlines(True) if not line.startswith(gone)))


def _replace(file: Path, text: str) -> None:
    """Write a new file: the old one may be shared with uv's cache."""
    file.unlink()
    file.write_text(text)


def _refuses_plain(python: Path, folder: Path) -> bool:
    """The script must fail without agentkit, or nothing was deleted."""
    (folder / "app.py").write_text(SCRIPT)
    done = subprocess.run([python, "app.py"], cwd=folder, env=clean_env(), capture_output=True, text=True, check=False)
    good = done.returncode == 1 and "ImportError" in done.stderr
    print(f"python app.py: {'fails, as it must' if good else 'RUNS: nothing was deleted'}", flush=True)
    return good


def _passes(python: Path, title: str, arguments: list[str], says: str, folder: Path) -> bool:
    done = subprocess.run(
        [python, "-m", "agentkit.cli", *arguments],
        cwd=folder,
        env=clean_env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    good = done.returncode == 0 and says in done.stdout
    print(f"{title}: {'passed' if good else f'FAILED{chr(10)}{done.stdout}{done.stderr}'}", flush=True)
    return good


def _suite(python: Path, folder: Path, arguments: list[str]) -> bool:
    carry_suite(folder)
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", *EVERYTHING, *arguments]
    return subprocess.run(command, cwd=folder, env=clean_env(), check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
