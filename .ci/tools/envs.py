"""What the runners share: interpreters, environments, sdists, running a program."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
MATRIX = ROOT / ".matrix"


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and fail loudly: what it printed is part of the error."""
    parts = [str(part) for part in command]
    done = subprocess.run(parts, text=True, capture_output=True, check=False, env=env, cwd=cwd)
    if done.returncode:
        sys.exit(f"$ {' '.join(map(str, command))}\n{done.stdout}{done.stderr}\nexit code {done.returncode}")
    return done


def clean_env(**extra: str) -> dict[str, str]:
    """The environment of a child: nothing of this checkout, no bytecode left behind."""
    dropped = {"PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS", "PYTHONHOME"}
    kept: Mapping[str, str] = {key: value for key, value in os.environ.items() if key not in dropped}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **extra}


def uv() -> Path:
    """The uv that `make .venv/.ready` installed beside this interpreter."""
    return Path(sys.executable).parent / "uv"


def versions(python: Path, names: Sequence[str]) -> dict[str, str]:
    """The installed versions of distributions in another interpreter; "" for those that are absent."""
    code = (
        "import sys, importlib.metadata as m\n"
        "for n in sys.argv[1:]:\n"
        "    try: print(n, m.version(n))\n"
        "    except m.PackageNotFoundError: print(n, '')\n"
    )
    lines = run([python, "-c", code, *names], env=clean_env()).stdout.splitlines()
    return {name: version for name, _, version in (line.partition(" ") for line in lines)}


def sdist(name: str, version: str) -> Path:
    """The source archive of a release, from the cache or with pip."""
    folder = CACHE / "sdists" / f"{name}-{version}"
    if not any(folder.glob("*.tar.gz")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        run([*pip, "--no-deps", "--no-binary", ":all:", "--dest", folder, f"{name}=={version}"])
    return next(folder.glob("*.tar.gz"))


def unpack_tests(archive: Path, target: Path, folder: str = "tests") -> Path:
    """Unpack one folder of an archive and its pyproject.toml, not the library: it must not be importable from here."""
    with tarfile.open(archive) as tar:
        tar.extractall(target, members=_inside(tar, folder), filter="data")
    return target / folder


def _inside(tar: tarfile.TarFile, folder: str) -> Iterator[tarfile.TarInfo]:
    for member in tar.getmembers():
        path = member.name.partition("/")[2]
        if path == "pyproject.toml" or path.startswith(f"{folder}/"):
            member.name = path
            yield member


def interpreter(version: str) -> str:
    """A Python of this version that uv accepts; pyenv's are found though only one of them is on the path."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for candidate in sorted(root.glob(f"versions/{version}.*/bin/python"), reverse=True):
        return str(candidate)
    return version


def make_env(folder: Path, python: str, *requirements: str, again: bool = False) -> Path:
    """Build an environment, or take the one that was built from the same requirements.

    Args:
        folder: Where it lies.
        python: The version of Python.
        requirements: Arguments of `uv pip install`.
        again: Build it even so: the index may have something newer.

    Returns:
        Its interpreter.
    """
    inside = folder / "bin" / "python"
    marker = folder / "requirements.txt"
    wanted = "\n".join([python, *requirements, (ROOT / "pyproject.toml").read_text()])
    if again or not (inside.exists() and marker.exists() and marker.read_text() == wanted):
        run([uv(), "venv", "--quiet", "--clear", "--python", interpreter(python), folder])
        run([uv(), "pip", "install", "--quiet", "--python", inside, *requirements], env=clean_env())
        marker.write_text(wanted)
    return inside


def build_wheel() -> Path:
    """Build agentkit's wheel from this checkout."""
    folder = MATRIX / "dist"
    for old in folder.glob("*.whl"):
        old.unlink()
    run([uv(), "build", "--quiet", "--wheel", "--out-dir", folder, ROOT])
    return next(folder.glob("*.whl"))


def install_wheel(python: Path, wheel: Path) -> None:
    """Put the wheel into an environment whose dependencies are there, in the place of an older build."""
    run([uv(), "pip", "install", "--quiet", "--python", python, "--no-deps", "--reinstall", wheel])
