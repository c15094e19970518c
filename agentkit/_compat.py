"""Version pairs that are known not to work together, and the check of what is installed.

The pairs are data: `bad_pairs.json`. Reads the metadata of installed distributions and nothing else, so that it works
where importing langgraph fails.
"""

from __future__ import annotations

import csv
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

DISTRIBUTION = "langgraph-agentkit"
WATCHED = (
    "langgraph",
    "langgraph-prebuilt",
    "langgraph-checkpoint",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "langchain",
    "langchain-core",
    "deepagents",
)


@dataclass(frozen=True)
class BadPair:
    """Versions that do not work together.

    Attributes:
        versions: A requirement for each distribution (or "python") that takes part. All must match.
        effect: What happens.
        fix: The command that mends it.
        instead: Another way out, as words.
        breaks: Whether nothing built on these versions can work, so that importing agentkit is refused.
    """

    versions: tuple[Requirement, ...]
    effect: str
    fix: str
    instead: str = ""
    breaks: bool = True

    @property
    def names(self) -> set[str]:
        """The distributions that take part."""
        return {requirement.name for requirement in self.versions}

    def matches(self, installed: Mapping[str, str]) -> bool:
        """Whether all of these versions are installed; a pre-release counts as its release."""
        return all(
            (version := release(installed.get(requirement.name, ""))) is not None and version in requirement.specifier
            for requirement in self.versions
        )

    def sentence(self, installed: Mapping[str, str]) -> str:
        """Say in one sentence what is installed, what happens and what mends it."""
        what = " with ".join(f"{requirement.name} {installed[requirement.name]}" for requirement in self.versions)
        other = f" (or {self.instead})" if self.instead else ""
        return f"{what}: {self.effect}; run: {self.fix}{other}"


@lru_cache(maxsize=1)
def bad_pairs() -> tuple[BadPair, ...]:
    """The pairs of `bad_pairs.json`."""
    entries = json.loads(Path(__file__).with_name("bad_pairs.json").read_text(encoding="utf-8"))
    return tuple(BadPair(**{**entry, "versions": tuple(map(Requirement, entry["versions"]))}) for entry in entries)


def release(version: str) -> Version | None:
    """The release that a version is, or comes before or after: 1.2.0 for "1.2.0rc1". None for no version."""
    try:
        return Version(Version(version).base_version)
    except InvalidVersion:
        return None


def installed_versions() -> dict[str, str]:
    """The installed versions of the distributions that matter, and Python's."""
    found = {"python": platform.python_version(), **{name: _version(name) for name in WATCHED}}
    return {name: version for name, version in found.items() if version}


def known_bad(installed: dict[str, str], *, breaking_only: bool = False) -> list[str]:
    """One sentence for each known-bad pair that is installed, for files that pip removed and versions that are none.

    Args:
        installed: Versions by distribution, as `installed_versions()` gives them.
        breaking_only: Whether to leave out pairs that still import and run. Defaults to False.

    Returns:
        The sentences; an empty list where nothing is known to be wrong.
    """
    found = [pair for pair in bad_pairs() if (pair.breaks or not breaking_only) and pair.matches(installed)]
    # Of two that match, the one with more packages is named: its command mends both.
    widest = [pair for pair in found if not any(pair.names < other.names for other in found)]
    by_command = {pair.fix: pair for pair in reversed(widest)}  # the first of those that one command mends
    bad = [pair.sentence(installed) for pair in widest if by_command[pair.fix] is pair]
    return bad + _removed_files() + _undeclared(installed) + ([] if breaking_only else not_versions(installed))


def not_versions(installed: dict[str, str]) -> list[str]:
    """Name the distributions whose metadata gives no version, as installing from a broken build leaves it."""
    return [
        f"{name} {version}: its metadata gives no version, so it can't be judged; "
        f"run: pip install --force-reinstall --no-deps {name}"
        for name, version in installed.items()
        if release(version) is None
    ]


@lru_cache(maxsize=1)
def check() -> None:
    """Refuse to go on where the installed versions are known not to work together.

    Raises:
        ImportError: The sentence that `agentkit doctor` prints.
    """
    installed = installed_versions()
    bad = known_bad(installed, breaking_only=True) or _below_floors(installed)
    if bad:
        raise ImportError(f"{bad[0]}. `agentkit doctor` says more.")


def own_requirements() -> list[Requirement]:
    """What agentkit requires, extras included; nothing where it runs without being installed."""
    try:
        return [Requirement(line) for line in metadata.requires(DISTRIBUTION) or ()]
    except metadata.PackageNotFoundError:
        return []


def _below_floors(installed: Mapping[str, str]) -> list[str]:
    """Name what is missing or too old: importing agentkit would end in a name that upstream does not have yet."""
    floors = {
        needed.name: part.version
        for needed in own_requirements()
        if not needed.marker and needed.name in WATCHED
        for part in needed.specifier
        if part.operator == ">="
    }
    # A version that is none is left to `agentkit doctor`.
    has = {name: release(installed[name]) if name in installed else Version("0") for name in floors}
    old = [name for name, version in has.items() if version is not None and version < Version(floors[name])]
    if not old:
        return []
    found = " and ".join(f"{name} {installed[name]}" if name in installed else f"no {name}" for name in sorted(old))
    wanted = " ".join(f"'{name}>={floors[name]}'" for name in old)
    return [f"{found}: too old for agentkit; run: pip install -U {wanted}"]


def _removed_files() -> list[str]:
    """pip, going up from langgraph 0.2, deletes the old `langgraph/prebuilt` after writing the new one."""
    try:
        prebuilt = metadata.distribution("langgraph-prebuilt")
    except metadata.PackageNotFoundError:
        return []
    # Not `prebuilt.files`, which leaves out what is missing since Python 3.12.
    listed = [row[0] for row in csv.reader((prebuilt.read_text("RECORD") or "").splitlines()) if row]
    gone = [file for file in listed if file.endswith(".py") and not Path(str(prebuilt.locate_file(file))).exists()]
    if not gone:
        return []
    return [
        f"langgraph-prebuilt {prebuilt.version}: {len(gone)} of its files are missing ({gone[0]}), as pip leaves "
        "it after an upgrade from langgraph 0.2; run: pip install --force-reinstall --no-deps "
        f"langgraph-prebuilt=={prebuilt.version}"
    ]


def _undeclared(installed: Mapping[str, str]) -> list[str]:
    """Name langgraph 0.0.x without httpx, which it imports and does not declare."""
    version = release(installed.get("langgraph", ""))
    if version is None or version >= Version("0.1") or _version("httpx"):
        return []
    return [
        f"langgraph {installed['langgraph']} without httpx: importing langgraph raises ModuleNotFoundError; "
        "run: pip install httpx"
    ]


def _version(name: str) -> str:
    try:
        return metadata.version(name) or "unknown"
    except metadata.PackageNotFoundError:
        return ""
