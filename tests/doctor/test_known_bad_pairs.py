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

BAD: list[tuple[dict[str, str], str]] = [
    ({"langgraph": "1.0.0", "langgraph-prebuilt": "1.0.9"}, "'langgraph-prebuilt<=1.0.8'"),
    ({"langgraph": "1.0.10", "langgraph-prebuilt": "1.0.13"}, "'langgraph-prebuilt<=1.0.8'"),
    ({"langgraph": "1.1.2", "langgraph-prebuilt": "1.0.13"}, "'langgraph-prebuilt<=1.0.8'"),
    ({"langgraph": "1.1.3", "langgraph-prebuilt": "1.0.13"}, "'langgraph-prebuilt<=1.0.8'"),
    ({"langgraph": "1.1.4", "langgraph-prebuilt": "1.0.13"}, "'langgraph-prebuilt<=1.0.8'"),
    *(
        (
            {"langchain": version, "langgraph": "1.0.10", "langgraph-prebuilt": "1.0.13"},
            "'langgraph-prebuilt<=1.0.8'",
        )
        for version in ("1.0.0", "1.0.2", "1.0.3", "1.0.8", "1.1.3", "1.2.0", "1.2.10")
    ),
    ({"langchain": "1.2.11", "langgraph": "1.1.0", "langgraph-prebuilt": "1.0.13"}, "'langchain>=1.2.12'"),
    *(
        ({"langgraph": version, "langgraph-prebuilt": "1.1.3"}, "'langgraph-prebuilt<0.5'")
        for version in ("0.4.1", "0.4.5", "0.4.7", "0.4.10")
    ),
    (
        {"langgraph": "0.4.10", "langgraph-prebuilt": "0.2.3", "langgraph-checkpoint": "4.3.2"},
        "'langgraph-checkpoint<3'",
    ),
    ({"langgraph": "0.4.10", "langgraph-prebuilt": "0.5.2"}, "'langgraph-prebuilt<0.5'"),
    ({"langgraph": "0.4.10", "langgraph-prebuilt": "0.6.5"}, "'langgraph-prebuilt<0.5'"),
    *(
        (
            {
                "langgraph-checkpoint-sqlite": "2.0.10",
                "langgraph": version,
                "langgraph-checkpoint": checkpoint,
            },
            "'langgraph-checkpoint-sqlite>=3.0.3'",
        )
        for version, checkpoint in (("0.6.11", "3.0.0"), ("1.1.10", "4.0.3"), ("1.2.24", "4.3.2"))
    ),
    ({"langgraph": "1.0.0", "langgraph-checkpoint-sqlite": "3.0.3"}, "'langgraph>=1.1.5'"),
    (
        {"langgraph": "1.2.24", "langgraph-checkpoint-sqlite": "3.0.0"},
        "'langgraph-checkpoint-sqlite>=3.0.3'",
    ),
    ({"langgraph": "1.2.24", "langgraph-prebuilt": "1.1.1"}, "'langgraph-prebuilt>=1.1.3'"),
    ({"langgraph": "1.2.24", "langchain": "0.3.27"}, "'langchain>=1.2.12'"),
    ({"langgraph": "0.0.69"}, "httpx"),
    *(
        ({name: version}, f"'{name}!={version}' -U")
        for name, version in (
            ("langgraph", "0.1.18"),
            ("langgraph", "0.3.0"),
            ("langgraph", "0.4.4"),
            ("langgraph", "0.6.9"),
            ("langgraph", "1.1.7"),
            ("langgraph", "1.2.3"),
            ("langgraph-prebuilt", "0.1.0"),
            ("langchain", "1.2.5"),
            ("langchain", "1.3.5"),
        )
    ),
]

GOOD: list[dict[str, str]] = [
    {"langgraph": "1.0.10", "langgraph-prebuilt": "1.0.8"},
    {"langgraph": "1.1.5", "langgraph-prebuilt": "1.0.13", "langchain": "1.2.12"},
    {"langgraph": "1.1.10", "langgraph-prebuilt": "1.0.13", "langchain": "1.2.18"},
    {"langgraph": "1.2.22", "langgraph-prebuilt": "1.1.3", "langchain": "1.3.3"},
    {"langgraph": "1.2.24", "langgraph-prebuilt": "1.1.3", "langchain": "1.2.11"},
    {"langgraph": "0.4.10", "langgraph-prebuilt": "0.2.2", "langgraph-checkpoint": "2.1.0"},
    {"langgraph": "0.6.11", "langgraph-prebuilt": "0.6.5", "langgraph-checkpoint-sqlite": "3.0.0"},
    {"langgraph": "1.0.10", "langgraph-checkpoint-sqlite": "2.0.11", "langgraph-checkpoint": "2.1.2"},
    {"langgraph": "1.2.24", "langgraph-checkpoint-sqlite": "3.0.3"},
    {"langgraph": "1.2.0rc1", "langgraph-prebuilt": "1.1.0"},
]


def label(value: Any) -> str | None:
    return "+".join(f"{k}-{v}" for k, v in value.items()) if isinstance(value, dict) else None


@pytest.mark.parametrize(("versions", "command"), BAD, ids=label)
def test_a_bad_pair_is_named_in_one_sentence_with_the_command_that_mends_it(
    site: Callable[..., Path], doctor: Callable[..., Any], versions: dict[str, str], command: str
) -> None:
    done = doctor(site(versions))
    assert done.returncode == 1, done.stdout + done.stderr
    sentences = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM ")]
    name, version = next(iter(versions.items()))
    naming = [line for line in sentences if f"{name} {version}" in line and f"pip install {command}" in line]
    assert naming, done.stdout


@pytest.mark.parametrize("versions", GOOD, ids=label)
def test_a_pair_that_works_is_not_called_bad(versions: dict[str, str]) -> None:
    assert _compat.known_bad({"python": "3.12.1", **versions}) == []


@pytest.mark.parametrize("name", ["langchain", "deepagents"])
def test_a_package_that_is_too_new_for_python_310_is_named(name: str) -> None:
    versions = {"langchain": "1.5.2", "deepagents": "0.7.32"}
    (sentence,) = _compat.known_bad({"python": "3.10.13", name: versions[name]})
    assert "Python 3.11" in sentence
    assert _compat.known_bad({"python": "3.11.7", name: versions[name]}) == []


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
