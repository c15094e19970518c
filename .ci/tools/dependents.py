"""Run the tests of packages that build on `langgraph.prebuilt`, with agentkit in its place.

For each: an environment with the newest stack, agentkit's wheel and the package; its own tests under
`--agentkit-install` where its source archive has any, else a small script under `agentkit run`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import tomllib
from envs import MATRIX, ROOT, build_wheel, clean_env, install_wheel, make_env, sdist, unpack_tests, versions

PYTEST_INI = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\naddopts = -p no:randomly\n"
TOOLS = ("pytest", "pytest-asyncio", "pytest-mock", "syrupy", "langchain-openai", "langchain-anthropic")


@dataclass(frozen=True)
class Dependent:
    """A package that imports `langgraph.prebuilt`.

    Attributes:
        name: The distribution.
        version: The release to test.
        script: What to run where its archive has no tests, else empty.
        fails_with: What the script's error says, with upstream's own names too; empty where it must pass.
    """

    name: str
    version: str
    script: str = ""
    fails_with: str = ""


_AGENT = '''
from agentkit.testing import ScriptedChatModel, call

def add(a: int, b: int) -> int:
    """Add."""
    return a + b
'''
DEPENDENTS = (
    Dependent("langgraph-supervisor", "0.0.31"),
    Dependent("langgraph-swarm", "0.1.0"),
    Dependent(
        "langgraph-bigtool",
        "0.0.3",
        _AGENT
        + """
from langchain_core.tools import tool
from langgraph.store.memory import InMemoryStore
from langgraph_bigtool import create_agent

store = InMemoryStore()
store.put(("tools",), "add", {"description": "add numbers"})
model = ScriptedChatModel(script=[call("retrieve_tools", query="add"), call("add", a=1, b=2)])
agent = create_agent(model, {"add": tool(add)}).compile(store=store)
agent.invoke({"messages": [("user", "1 + 2?")]})
""",
        fails_with="'ToolNode' object has no attribute 'inject_tool_args'",
    ),
    Dependent(
        "langmem",
        "0.0.30",
        _AGENT
        + """
from langgraph.prebuilt import create_react_agent
from langgraph.store.memory import InMemoryStore
from langmem import create_manage_memory_tool

store = InMemoryStore()
manage = create_manage_memory_tool(namespace=("memories",))
model = ScriptedChatModel(script=[call("manage_memory", content="likes tea", action="create")])
create_react_agent(model, [manage, add], store=store).invoke({"messages": [("user", "I like tea")]})
assert store.search(("memories",))[0].value["content"] == "likes tea"
""",
    ),
    Dependent(
        "trustcall",
        "0.0.39",
        _AGENT
        + """
from pydantic import BaseModel
from trustcall import create_extractor

class City(BaseModel):
    name: str

model = ScriptedChatModel(script=[call("City", name="Rome")])
result = create_extractor(model, tools=[City], tool_choice="City").invoke("Rome is a city")
assert result["responses"] == [City(name="Rome")], result
""",
    ),
)


def main() -> int:
    """Run the dependents that were asked for; the exit code is 1 where one is red."""
    parser = argparse.ArgumentParser(prog=".ci/dependents", description=(__doc__ or "").strip())
    parser.add_argument("names", nargs="*", help="only these; or the source archive or the folder of another one")
    parser.add_argument("--original", action="store_true", help="leave upstream's names: what fails anyway")
    options = parser.parse_args()
    wheel = build_wheel()
    known = {dependent.name: dependent for dependent in DEPENDENTS}
    good = True
    for name in options.names or known:
        if name in known:
            outcome, passed = _run(known[name], wheel, options.original)
        else:
            outcome, passed = _run_path(Path(name), wheel, options.original)
        print(f"{name:<22} {outcome}", flush=True)
        good = good and passed
    return 0 if good else 1


def _run(dependent: Dependent, wheel: Path, original: bool) -> tuple[str, bool]:
    python = _environment(dependent.name, f"{dependent.name}=={dependent.version}", wheel)
    label = " on langgraph ".join(versions(python, [dependent.name, "langgraph"]).values())
    with tempfile.TemporaryDirectory(prefix="agentkit-dependent-") as name:
        folder = Path(name)
        if dependent.script:
            (folder / "smoke.py").write_text(dependent.script)
            how = [] if original else ["-m", "agentkit.cli", "run"]
            done = _call([python, *how, "smoke.py"], folder)
            said, good = _judge(dependent, done)
            return f"{label}: {said}", good
        unpack_tests(sdist(dependent.name, dependent.version), folder)
        return _pytest(python, folder, label, original)


def _environment(name: str, requirement: str, wheel: Path) -> Path:
    rows = tomllib.loads((ROOT / "matrix.toml").read_text())["row"]
    latest = next(row for row in rows if row["name"] == "latest")
    pins = [f"{name}=={latest[name]}" for name in ("langchain", "langchain-core", "langgraph", "langgraph-prebuilt")]
    own = [f"langgraph-agentkit @ file://{wheel}", requirement]
    python = make_env(MATRIX / "dependents" / name, latest["python"], *own, *pins, *TOOLS)
    install_wheel(python, wheel)
    return python


def _judge(dependent: Dependent, done: subprocess.CompletedProcess[str]) -> tuple[str, bool]:
    if done.returncode == 0:
        return ("script PASSED, unexpectedly", False) if dependent.fails_with else ("script ran", True)
    if dependent.fails_with and dependent.fails_with in done.stderr:
        return f"fails with and without agentkit: {dependent.fails_with}", True
    return f"script FAILED\n{done.stdout}{done.stderr}", False


def _run_path(path: Path, wheel: Path, original: bool) -> tuple[str, bool]:
    """Run the tests of a package that is not in the list, out of its source archive or a copy of its folder."""
    if not (path.is_dir() or path.name.endswith(".tar.gz")):
        names = ", ".join(dependent.name for dependent in DEPENDENTS)
        sys.exit(f"{path} is neither a folder, nor a source archive (.tar.gz), nor one of {names}")
    python = _environment(path.name.removesuffix(".tar.gz"), str(path.resolve()), wheel)
    with tempfile.TemporaryDirectory(prefix="agentkit-dependent-") as name:
        folder = Path(name)
        if path.is_dir():
            shutil.copytree(path / "tests", folder / "tests")
        else:
            unpack_tests(path, folder)
        return _pytest(python, folder, str(path), original)


def _pytest(python: Path, folder: Path, label: str, original: bool) -> tuple[str, bool]:
    (folder / "pytest.ini").write_text(PYTEST_INI)
    plugin = [] if original else ["-p", "agentkit.testing.plugin", "--agentkit-install"]
    done = _call([python, "-m", "pytest", "-q", *plugin, "tests"], folder)
    said = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()
    more = "" if done.returncode == 0 else f"\n{done.stdout[-3000:]}"
    return f"{label}: {said}{more}", done.returncode == 0


def _call(command: list[object], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = clean_env(OPENAI_API_KEY="unused", ANTHROPIC_API_KEY="unused")
    parts = [str(part) for part in command]
    return subprocess.run(parts, cwd=folder, env=environment, text=True, capture_output=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
