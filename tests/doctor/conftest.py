"""Environments that consist of metadata alone: the doctor looks at nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import packaging
import pytest

import agentkit

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def site(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Make a folder that holds agentkit and the metadata of the given distributions."""

    def make(versions: dict[str, str], requires: dict[str, list[str]] | None = None) -> Path:
        folder = tmp_path / "site"
        folder.mkdir()
        for package in (agentkit, packaging):
            (folder / package.__name__).symlink_to(Path(package.__file__).parent)
        ours = {"langgraph-agentkit": metadata.requires("langgraph-agentkit") or []}
        extras = metadata.metadata("langgraph-agentkit").get_all("Provides-Extra") or []
        lines = {**{name: [] for name in versions}, **ours, **(requires or {})}
        for name, version in {**versions, "langgraph-agentkit": agentkit.__version__}.items():
            info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
            info.mkdir()
            needs = "".join(f"Requires-Dist: {line}\n" for line in lines[name])
            if name == "langgraph-agentkit":
                needs += "".join(f"Provides-Extra: {extra}\n" for extra in extras)
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}")
        return folder

    return make


@pytest.fixture
def doctor() -> Run:
    """Run `agentkit doctor` where only the given folder can be imported from."""

    def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", "-m", "agentkit.cli", "doctor", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        return subprocess.run(
            command, text=True, capture_output=True, check=False, env=environment, cwd=folder, timeout=60
        )

    return run
