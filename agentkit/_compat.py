"""Version pairs that are known not to work together, as data, and the check of what is installed.

Reads the metadata of installed distributions and nothing else, so that it works where importing
langgraph fails.
"""

from __future__ import annotations

import csv
import platform
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[\w.]*)?")
_FLOOR = re.compile(r"([\w-]+)[^;]*>=([\d.]+)")

Range = tuple[str, str]
"""The lowest and the highest version, both included; an empty string is an open end."""


@dataclass(frozen=True)
class BadPair:
    """Versions that do not work together.

    Attributes:
        versions: For each distribution (or "python"), the range that takes part. All must match.
        effect: What happens.
        fix: The command that mends it.
        instead: Another way out, as words.
        breaks: Whether nothing built on these versions can work, so that importing agentkit is refused.
    """

    versions: dict[str, Range]
    effect: str
    fix: str
    instead: str = ""
    breaks: bool = True

    def sentence(self, installed: dict[str, str]) -> str:
        """Say in one sentence what is installed, what happens and what mends it."""
        what = " with ".join(f"{name} {installed[name]}" for name in self.versions)
        other = f" (or {self.instead})" if self.instead else ""
        return f"{what}: {self.effect}; run: {self.fix}{other}"


_NEWER = "go on to langchain>=1.2.12, which brings langgraph>=1.1.5"
_PREBUILT_PIN = "pip install 'langgraph-prebuilt<=1.0.8'"
_TOO_NEW_PREBUILT: Range = ("1.0.9", "1.0.13")
_LG04: Range = ("0.4.0", "0.4.99")
# All three: a saver from after langgraph-checkpoint 3 can't be imported on one from before.
_LG04_PINS = "pip install 'langgraph-prebuilt<0.5' 'langgraph-checkpoint<3' 'langgraph-checkpoint-sqlite<3'"
_NEWER_SAVER = "pip install 'langgraph-checkpoint-sqlite>=3.0.3'"
_NO_DUMPS = "the first write raises AttributeError ('JsonPlusSerializer' object has no attribute 'dumps')"

# Of two that match, the one with more packages is named: its command mends both.
BAD_PAIRS: tuple[BadPair, ...] = (
    BadPair(
        {"langgraph": ("1.0.0", "1.1.2"), "langgraph-prebuilt": _TOO_NEW_PREBUILT},
        "importing langgraph.prebuilt raises ImportError (ExecutionInfo), although pip installs this pair",
        _PREBUILT_PIN,
        _NEWER,
    ),
    BadPair(
        {"langgraph": ("1.1.3", "1.1.4"), "langgraph-prebuilt": _TOO_NEW_PREBUILT},
        "importing langgraph.prebuilt raises ImportError (ServerInfo), although pip installs this pair",
        _PREBUILT_PIN,
        _NEWER,
    ),
    BadPair(
        {
            "langchain": ("1.0.0", "1.0.2"),
            "langgraph": ("1.0.0", "1.1.4"),
            "langgraph-prebuilt": _TOO_NEW_PREBUILT,
        },
        "langchain.agents works, but importing langgraph.prebuilt raises ImportError",
        _PREBUILT_PIN,
        _NEWER,
    ),
    BadPair(
        {
            "langchain": ("1.0.3", "1.2.10"),
            "langgraph": ("1.0.0", "1.1.4"),
            "langgraph-prebuilt": _TOO_NEW_PREBUILT,
        },
        "importing langchain.agents raises ImportError",
        _PREBUILT_PIN,
        _NEWER,
    ),
    BadPair(
        {
            "langchain": ("1.2.11", "1.2.11"),
            "langgraph": ("1.1.0", "1.1.4"),
            "langgraph-prebuilt": _TOO_NEW_PREBUILT,
        },
        "importing langchain.agents raises ImportError",
        "pip install 'langchain>=1.2.12'",
    ),
    BadPair(
        {"langgraph": _LG04, "langgraph-prebuilt": ("0.5.0", "0.5.99")},
        "building an agent fails: add_node() got an unexpected keyword argument 'input_schema'",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": _LG04, "langgraph-prebuilt": ("0.6.0", "1.0.99")},
        "importing langgraph.prebuilt raises ModuleNotFoundError (langgraph._internal)",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": _LG04, "langgraph-prebuilt": ("1.1.0", "")},
        "importing langgraph.prebuilt raises ModuleNotFoundError (langgraph.stream), although pip installs this pair",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": _LG04, "langgraph-checkpoint": ("3.0.0", ""), "langgraph-checkpoint-sqlite": ("1.0.0", "")},
        "the SQLite saver raises TypeError (Object of type AIMessage is not JSON serializable)",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph-checkpoint-sqlite": ("2.0.0", "2.0.11"), "langgraph-checkpoint": ("3.0.0", "")},
        _NO_DUMPS,
        _NEWER_SAVER,
    ),
    BadPair(
        {
            "langgraph": ("0.5.0", "0.6.99"),
            "langgraph-checkpoint-sqlite": ("2.0.0", "2.0.11"),
            "langgraph-checkpoint": ("3.0.0", ""),
        },
        _NO_DUMPS,
        "pip install 'langgraph-checkpoint-sqlite>=3.0.3,<3.1'",  # 3.1 needs a checkpoint that these don't take
    ),
    *(
        BadPair(
            {"langgraph": ("1.2.0", ""), "langgraph-checkpoint-sqlite": old},
            "this saver takes only langgraph-checkpoint<4, and langgraph 1.2 needs langgraph-checkpoint>=4.1",
            _NEWER_SAVER,
            breaks=False,
        )
        for old in (("1.0.0", "2.0.9"), ("2.0.11", "3.0.1"))  # 2.0.10 declares no upper bound
    ),
    *(
        BadPair(
            {"langgraph": ("1.0.0", "1.0.0"), **also, "langgraph-checkpoint-sqlite": ("3.0.0", "")},
            "langgraph 1.0.0 needs langgraph-checkpoint<3, which this saver does not take",
            "pip install 'langgraph>=1.1.5'",
            breaks=bool(also),
        )
        for also in ({}, {"langgraph-prebuilt": _TOO_NEW_PREBUILT})
    ),
    BadPair(
        {"langgraph": ("1.2.24", ""), "langgraph-prebuilt": ("0.1.0", "1.1.2")},
        "langgraph 1.2.24 needs langgraph-prebuilt>=1.1.3",
        "pip install 'langgraph-prebuilt>=1.1.3'",
        breaks=False,
    ),
    *(
        BadPair(
            {"langgraph": ("1.0.0", ""), **also, "langchain": ("0.0.1", "0.3.99")},
            "langchain 0.3 has no create_agent, which agentkit builds on",
            "pip install 'langchain>=1.2.12'",
        )
        for also in ({}, {"langgraph-prebuilt": _TOO_NEW_PREBUILT})
    ),
    BadPair(
        {"langchain": ("1.5.0", ""), "python": ("3.0", "3.10.99")},
        "langchain 1.5 needs Python 3.11",
        "pip install 'langchain<1.5'",
        "use Python 3.11",
        breaks=False,
    ),
    BadPair(
        {"deepagents": ("0.0.1", ""), "python": ("3.0", "3.10.99")},
        "deepagents needs Python 3.11",
        "pip uninstall deepagents",
        "use Python 3.11",
        breaks=False,
    ),
    *(
        BadPair({name: (version, version)}, "this release was yanked", f"pip install {instead}", breaks=False)
        for name, version, instead in (
            ("langgraph", "0.1.18", "'langgraph==0.1.19'"),  # not -U: pip removes files on the way past 0.2
            ("langgraph", "0.3.0", "-U 'langgraph!=0.3.0'"),
            ("langgraph", "0.4.4", "-U 'langgraph!=0.4.4'"),
            ("langgraph", "0.6.9", "-U 'langgraph!=0.6.9'"),
            ("langgraph", "1.1.7", "-U 'langgraph!=1.1.7'"),
            ("langgraph", "1.2.3", "-U 'langgraph!=1.2.3'"),
            ("langgraph-prebuilt", "0.1.0", "-U 'langgraph!=0.3.0'"),
            ("langchain", "1.2.5", "-U 'langchain!=1.2.5'"),
            ("langchain", "1.3.5", "-U 'langchain!=1.3.5'"),
        )
    ),
)

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
    found = [
        pair
        for pair in BAD_PAIRS
        if (pair.breaks or not breaking_only)
        and all(_within(installed.get(name), bounds) for name, bounds in pair.versions.items())
    ]
    widest = [pair for pair in found if not any(set(pair.versions) < set(other.versions) for other in found)]
    by_command = {pair.fix: pair for pair in reversed(widest)}  # the first of those that one command mends
    bad = [pair.sentence(installed) for pair in widest if by_command[pair.fix] is pair]
    return bad + _removed_files() + _undeclared(installed) + ([] if breaking_only else not_versions(installed))


def not_versions(installed: dict[str, str]) -> list[str]:
    """Name the distributions whose metadata gives no version, as installing from a broken build leaves it."""
    return [
        f"{name} {version}: its metadata gives no version, so it can't be judged; "
        f"run: pip install --force-reinstall --no-deps {name}"
        for name, version in installed.items()
        if not _release(version)
    ]


@lru_cache(maxsize=1)
def check() -> None:
    """Refuse to go on where the installed versions are known not to work together.

    Raises:
        ImportError: The sentence that `agentkit doctor` prints.
    """
    installed = installed_versions()
    bad = known_bad(installed, breaking_only=True) or below_floors(installed)
    if bad:
        raise ImportError(f"{bad[0]}. `agentkit doctor` says more.")


def below_floors(installed: dict[str, str]) -> list[str]:
    """Name what is older than agentkit's own requirements, as a forced or partial install leaves it.

    Args:
        installed: Versions by distribution, as `installed_versions()` gives them.

    Returns:
        One sentence, or none.
    """
    try:
        requirements = metadata.requires("langgraph-agentkit") or []
    except metadata.PackageNotFoundError:  # a checkout on the path
        return []
    floors = [match.groups() for line in requirements if "extra ==" not in line and (match := _FLOOR.match(line))]
    old = {
        name: floor
        for name, floor in floors
        if name in WATCHED and _release(installed.get(name, "0")) < _release(floor)
    }
    if not old:
        return []
    found = " and ".join(f"{name} {installed[name]}" if name in installed else f"no {name}" for name in old)
    wanted = " ".join(f"'{name}>={floor}'" for name, floor in old.items())
    return [f"{found}: agentkit is built on newer ones; run: pip install -U {wanted}"]


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


def _undeclared(installed: dict[str, str]) -> list[str]:
    """Name langgraph 0.0.x without httpx, which it imports and does not declare."""
    if not _within(installed.get("langgraph"), ("0.0.1", "0.0.99")):
        return []
    if _version("httpx"):
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


def _within(version: str | None, bounds: Range) -> bool:
    if version is None:
        return False
    low, high = bounds
    return _release(version) >= _release(low) and (not high or _release(version) <= _release(high))


def _release(version: str) -> tuple[int, ...]:
    """The numbers that a version starts with, four of them: (1, 2, 0, 0) for "1.2" and "1.2.0rc1".

    None for a text that is no version, so that it is before every version.
    """
    matched = _VERSION.fullmatch(version)
    return tuple(int(number) for number in [*matched[1].split("."), "0", "0", "0"][:4]) if matched else ()
