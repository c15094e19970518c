"""Each pair of versions that is known not to work is named, with the command that mends it."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import agentkit
from agentkit import _compat

PREBUILT = "pip install 'langgraph-prebuilt<=1.0.8' (or go on to langchain>=1.2.12, which brings langgraph>=1.1.5)"
LG04 = "pip install 'langgraph-prebuilt<0.5' 'langgraph-checkpoint<3' 'langgraph-checkpoint-sqlite<3'"
SAVER = "pip install 'langgraph-checkpoint-sqlite>=3.0.3'"
AGENTS = "pip install 'langchain>=1.2.12'"


def installed(text: str) -> dict[str, str]:
    """Versions by distribution, from "langgraph 1.0.0, prebuilt 1.0.9"."""
    short = {"prebuilt": "langgraph-prebuilt", "checkpoint": "langgraph-checkpoint"}
    pairs = (item.split(" ") for item in text.replace("sqlite ", "langgraph-checkpoint-sqlite ").split(", "))
    return {short.get(name, name): version for name, version in pairs}


BAD: list[tuple[str, str]] = [
    ("langgraph 1.0.0, prebuilt 1.0.9", PREBUILT),
    ("langgraph 1.0.10, prebuilt 1.0.13", PREBUILT),
    ("langgraph 1.1.2, prebuilt 1.0.13", PREBUILT),
    ("langgraph 1.1.3, prebuilt 1.0.13", PREBUILT),
    ("langgraph 1.1.4, prebuilt 1.0.13", PREBUILT),
    *(
        (f"langchain {version}, langgraph 1.0.10, prebuilt 1.0.13", PREBUILT)
        for version in ("1.0.0", "1.0.2", "1.0.3", "1.0.8", "1.1.3", "1.2.0", "1.2.10")
    ),
    ("langchain 1.2.11, langgraph 1.1.0, prebuilt 1.0.13", AGENTS),
    *(
        (f"langgraph {version}, prebuilt 1.1.3, checkpoint 4.3.2, sqlite 3.1.2", LG04)
        for version in ("0.4.1", "0.4.5", "0.4.7", "0.4.10")
    ),
    ("langgraph 0.4.10, prebuilt 1.1.3", LG04),
    ("langgraph 0.4.10, prebuilt 1.1.3, checkpoint 4.3.2, sqlite 2.0.10", LG04),
    ("langgraph 0.4.10, prebuilt 0.2.3, checkpoint 4.3.2, sqlite 3.1.2", LG04),
    ("langgraph 0.4.10, prebuilt 0.5.2, checkpoint 2.1.2", LG04),
    ("langgraph 0.4.10, prebuilt 0.6.5, checkpoint 3.0.1", LG04),
    (
        "langgraph 0.6.11, sqlite 2.0.10, checkpoint 3.0.1",
        "pip install 'langgraph-checkpoint-sqlite>=3.0.3,<3.1'",
    ),
    ("langgraph 1.0.10, prebuilt 1.0.8, sqlite 2.0.10, checkpoint 4.3.2", SAVER),
    ("langgraph 1.1.10, sqlite 2.0.10, checkpoint 4.3.2", SAVER),
    ("langgraph 1.2.24, sqlite 2.0.10, checkpoint 4.3.2", SAVER),
    *(
        (f"langgraph 1.2.24, sqlite {version}, checkpoint 4.3.2", SAVER)
        for version in ("1.0.0", "2.0.6", "2.0.11", "3.0.0", "3.0.1")
    ),
    ("langgraph 1.0.0, prebuilt 1.0.1, sqlite 3.0.3", "pip install 'langgraph>=1.1.5'"),
    ("langgraph 1.0.0, prebuilt 1.0.13, checkpoint 2.1.2, sqlite 3.1.2", "pip install 'langgraph>=1.1.5'"),
    ("langgraph 1.2.24, prebuilt 1.1.1", "pip install 'langgraph-prebuilt>=1.1.3'"),
    ("langgraph 1.2.24, langchain 0.3.27", AGENTS),
    ("langgraph 1.0.10, prebuilt 1.0.13, langchain 0.3.27", AGENTS),
    ("langgraph 0.0.69", "pip install httpx"),
    ("langgraph 0.1.18", "pip install 'langgraph==0.1.19'"),
    *(
        (f"langgraph {version}", f"pip install -U 'langgraph!={version}'")
        for version in ("0.3.0", "0.4.4", "0.6.9", "1.1.7", "1.2.3")
    ),
    ("langgraph 0.3.0, prebuilt 0.1.0", "pip install -U 'langgraph!=0.3.0'"),
    *((f"langchain {version}", f"pip install -U 'langchain!={version}'") for version in ("1.2.5", "1.3.5")),
]

GOOD = [
    "langgraph 1.0.10, prebuilt 1.0.8, langchain 1.0.8",
    "langgraph 1.1.5, prebuilt 1.0.13, langchain 1.2.12",
    "langgraph 1.1.10, prebuilt 1.0.13, langchain 1.2.18",
    "langgraph 1.2.22, prebuilt 1.1.3, langchain 1.3.3",
    "langgraph 1.2.24, prebuilt 1.1.3, langchain 1.2.11",
    "langgraph 0.4.10, prebuilt 0.2.2, checkpoint 2.1.0, sqlite 2.0.11",
    "langgraph 0.6.11, prebuilt 0.6.5, checkpoint 3.0.1, sqlite 3.0.0",
    "langgraph 0.6.11, prebuilt 0.6.5, checkpoint 2.1.2, sqlite 2.0.10",
    "langgraph 1.0.10, checkpoint 2.1.2, sqlite 2.0.11",
    "langgraph 1.2.24, checkpoint 4.3.2, sqlite 3.0.2",
    "langgraph 1.2.24, checkpoint 4.3.2, sqlite 3.0.3",
    "langgraph 1.2.0rc1, prebuilt 1.1.0",
]


@pytest.mark.parametrize(("versions", "command"), BAD)
def test_a_bad_pair_is_named_in_one_sentence_with_the_command_that_mends_it(
    site: Callable[..., Path], doctor: Callable[..., Any], versions: str, command: str
) -> None:
    done = doctor(site(installed(versions)))
    assert done.returncode == 1, done.stdout + done.stderr
    problems = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM ")]
    (named,) = [line for line in problems if not line.startswith("PROBLEM langgraph-agentkit ")]
    assert named.endswith(f"; run: {command}.")
    assert any(f"{name} {version}" in named for name, version in installed(versions).items())


@pytest.mark.parametrize("versions", GOOD)
def test_a_pair_that_works_is_not_called_bad(versions: str) -> None:
    assert _compat.known_bad({"python": "3.12.1", **installed(versions)}) == []


@pytest.mark.parametrize(
    ("package", "command"),
    [("langchain 1.5.2", "pip install 'langchain<1.5'"), ("deepagents 0.7.32", "pip uninstall deepagents")],
)
def test_a_package_that_is_too_new_for_python_310_is_named(package: str, command: str) -> None:
    (sentence,) = _compat.known_bad({"python": "3.10.13", **installed(package)})
    assert sentence.endswith(f"needs Python 3.11; run: {command} (or use Python 3.11)")
    assert _compat.known_bad({"python": "3.11.7", **installed(package)}) == []


def test_a_requirement_of_a_named_version_is_not_a_second_problem(
    site: Callable[..., Path], doctor: Callable[..., Any]
) -> None:
    """What pip leaves of a good environment after `pip install langgraph==1.0.0`."""
    versions = installed("langgraph 1.0.0, prebuilt 1.0.13, checkpoint 2.1.2, sqlite 3.1.2, langchain-core 1.8.3")
    needs = {"langgraph-checkpoint-sqlite": ["langgraph-checkpoint<5,>=4.3.0"]}
    done = doctor(site(versions, needs))
    assert "pip install 'langgraph>=1.1.5'" in done.stdout
    assert "pip install 'langgraph-checkpoint" not in done.stdout


def test_files_that_pip_removed_are_named(site: Callable[..., Path], doctor: Callable[..., Any]) -> None:
    folder = site({"langgraph": "1.2.24", "langgraph-prebuilt": "1.1.3"})
    record = folder / "langgraph_prebuilt-1.1.3.dist-info/RECORD"
    record.write_text("langgraph/prebuilt/__init__.py,,\nlanggraph/prebuilt/tool_node.py,,\n")
    (folder / "langgraph/prebuilt").mkdir(parents=True)
    (folder / "langgraph/prebuilt/tool_node.py").touch()
    done = doctor(folder)
    assert "1 of its files are missing (langgraph/prebuilt/__init__.py)" in done.stdout
    assert "pip install --force-reinstall --no-deps langgraph-prebuilt==1.1.3" in done.stdout
    assert done.returncode == 1


def public_modules() -> list[str]:
    """agentkit's modules that build on langchain. The others must work where langchain does not."""
    tools = {"cli", "doctor", "run", "migrate", "demo"}
    names = [module.name for module in pkgutil.iter_modules(agentkit.__path__, "agentkit.")]
    return [name for name in names if not name.startswith("agentkit._") and name.split(".")[1] not in tools]


@pytest.mark.parametrize("module", [*public_modules(), "agentkit.prebuilt.chat_agent_executor"])
def test_importing_a_module_on_a_bad_pair_says_the_sentence(tmp_path: Path, module: str) -> None:
    # On such a pair upstream's modules can't be imported: the sentence must come before them.
    blocked = "import sys; sys.modules.update(dict.fromkeys(['langgraph.prebuilt', 'langchain.agents']))"
    done = on_a_bad_pair(tmp_path, f"{blocked}; import agentkit; import {module}")
    assert done.returncode == 1
    assert "ImportError: langgraph 1.0.10 with langgraph-prebuilt 1.0.13" in done.stderr.splitlines()[-1]
    assert "pip install 'langgraph-prebuilt<=1.0.8'" in done.stderr.splitlines()[-1]


def test_importing_agentkit_alone_raises_nothing_on_a_bad_pair(tmp_path: Path) -> None:
    assert on_a_bad_pair(tmp_path, "import agentkit; agentkit.__version__").returncode == 0


def test_install_says_the_sentence_on_a_bad_pair(tmp_path: Path) -> None:
    done = on_a_bad_pair(tmp_path, "import agentkit; agentkit.install()")
    assert "ImportError: langgraph 1.0.10 with langgraph-prebuilt 1.0.13" in done.stderr.splitlines()[-1]


def test_importing_agentkit_where_a_version_is_none_is_not_refused(tmp_path: Path) -> None:
    info = tmp_path / "langgraph_prebuilt-unknown.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: langgraph-prebuilt\nVersion: unknown\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", "import agentkit.prebuilt"]
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=environment)
    assert (done.stderr, done.returncode) == ("", 0)


def on_a_bad_pair(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run with metadata, found first, that claims langgraph 1.0.10 and langgraph-prebuilt 1.0.13."""
    for name, version in (("langgraph", "1.0.10"), ("langgraph-prebuilt", "1.0.13"), ("langchain", "1.2.12")):
        info = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    return subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=False, env=environment)


@pytest.mark.parametrize("command", ["threads", "approvals", "verify"])
def test_a_command_on_a_bad_pair_says_the_sentence_and_shows_no_traceback(tmp_path: Path, command: str) -> None:
    done = on_a_bad_pair(tmp_path, f"from agentkit.cli import main; raise SystemExit(main([{command!r}, '--help']))")
    assert done.returncode == 1
    assert done.stderr.startswith(f"agentkit {command}: langgraph 1.0.10 with langgraph-prebuilt 1.0.13")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("program", ["from agentkit.prebuilt import create_react_agent", "import agentkit.agents"])
def test_importing_agentkit_below_its_floors_says_what_is_too_old(tmp_path: Path, program: str) -> None:
    info = tmp_path / "langgraph-0.6.11.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: langgraph\nVersion: 0.6.11\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=environment)
    said = done.stderr.splitlines()[-1]
    assert said.startswith(
        "ImportError: langgraph 0.6.11: too old for agentkit; run: pip install -U 'langgraph>=1.1.5'"
    )


def test_the_pairs_of_the_file_are_all_named_by_a_test() -> None:
    matched = {id(pair) for text, _ in BAD for pair in _compat.bad_pairs() if pair.matches(installed(text))}
    python = {id(pair) for pair in _compat.bad_pairs() if "python" in pair.names}
    assert {id(pair) for pair in _compat.bad_pairs()} == matched | python
