"""Version pairs that are known not to work together, as data, and the check of what is installed.

Reads the metadata of installed distributions and nothing else, so that it works where importing
langgraph fails.
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata

Range = tuple[str, str]
"""The lowest and the highest version, both included; an empty string is an open end."""


@dataclass(frozen=True)
class BadPair:
    """Versions that do not work together.

    Attributes:
        versions: For each distribution (or "python"), the range that takes part. All must match.
        effect: What happens.
        fix: What to install instead, as arguments of `pip install`.
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
        return f"{what}: {self.effect}; run: pip install {self.fix}{other}"


_NEWER = "go on to langchain>=1.2.12, which brings langgraph>=1.1.5"
_PREBUILT_PIN = "'langgraph-prebuilt<=1.0.8'"
_TOO_NEW_PREBUILT: Range = ("1.0.9", "1.0.13")
_LG04_PINS = "'langgraph-prebuilt<0.5' 'langgraph-checkpoint<3'"

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
        "'langchain>=1.2.12'",
    ),
    BadPair(
        {"langgraph": ("0.4.0", "0.4.99"), "langgraph-prebuilt": ("0.5.0", "0.5.99")},
        "building an agent fails: add_node() got an unexpected keyword argument 'input_schema'",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": ("0.4.0", "0.4.99"), "langgraph-prebuilt": ("0.6.0", "1.0.99")},
        "importing langgraph.prebuilt raises ModuleNotFoundError",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": ("0.4.0", "0.4.99"), "langgraph-prebuilt": ("1.1.0", "")},
        "importing langgraph.prebuilt raises ModuleNotFoundError (langgraph.stream), although pip installs this pair",
        _LG04_PINS,
    ),
    BadPair(
        {"langgraph": ("0.4.0", "0.4.99"), "langgraph-checkpoint": ("3.0.0", "")},
        "the SQLite saver raises TypeError (AIMessage is not JSON serializable)",
        "'langgraph-checkpoint<3'",
    ),
    BadPair(
        {"langgraph-checkpoint-sqlite": ("2.0.10", "2.0.10"), "langgraph-checkpoint": ("3.0.0", "")},
        "the first write raises AttributeError ('JsonPlusSerializer' object has no attribute 'dumps')",
        "'langgraph-checkpoint-sqlite>=3.0.3'",
        "pin langgraph-checkpoint-sqlite==2.0.11 with langgraph-checkpoint<3",
    ),
    BadPair(
        {"langgraph": ("1.0.0", "1.0.0"), "langgraph-checkpoint-sqlite": ("3.0.0", "")},
        "langgraph 1.0.0 needs langgraph-checkpoint<3, which this saver does not take",
        "'langgraph>=1.1.5'",
        breaks=False,
    ),
    BadPair(
        {"langgraph": ("1.2.0", ""), "langgraph-checkpoint-sqlite": ("2.0.11", "3.0.0")},
        "the saver is older than this langgraph's checkpoint format",
        "'langgraph-checkpoint-sqlite>=3.0.3'",
        breaks=False,
    ),
    BadPair(
        {"langgraph": ("1.2.24", ""), "langgraph-prebuilt": ("0.1.0", "1.1.2")},
        "langgraph 1.2.24 needs langgraph-prebuilt>=1.1.3",
        "'langgraph-prebuilt>=1.1.3'",
        breaks=False,
    ),
    BadPair(
        {"langgraph": ("1.0.0", ""), "langchain": ("0.0.1", "0.3.99")},
        "langchain 0.3 needs langchain-core 0.3, langgraph 1.x is used with core 1.x, and there is no create_agent",
        "'langchain>=1.2.12'",
    ),
    BadPair(
        {"langchain": ("1.5.0", ""), "python": ("3.0", "3.10.99")},
        "langchain 1.5 needs Python 3.11",
        "'langchain<1.5'",
        "use Python 3.11",
        breaks=False,
    ),
    BadPair(
        {"deepagents": ("0.0.1", ""), "python": ("3.0", "3.10.99")},
        "deepagents needs Python 3.11",
        "langgraph-agentkit, without its deepagents extra",
        "use Python 3.11",
        breaks=False,
    ),
    *(
        BadPair({name: (version, version)}, "this release was yanked", f"'{name}!={version}' -U", breaks=False)
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
    """One sentence for each known-bad pair that is installed, and for files that pip removed.

    Args:
        installed: Versions by distribution, as `installed_versions()` gives them.
        breaking_only: Whether to leave out pairs that still import and run. Defaults to False.

    Returns:
        The sentences; an empty list where nothing is known to be wrong.
    """
    bad = [
        pair.sentence(installed)
        for pair in BAD_PAIRS
        if (pair.breaks or not breaking_only)
        and all(_within(installed.get(name), bounds) for name, bounds in pair.versions.items())
    ]
    return bad + _removed_files() + ([] if breaking_only else _undeclared(installed))


@lru_cache(maxsize=1)
def check() -> None:
    """Refuse to go on where the installed versions are known not to work together.

    Raises:
        ImportError: The sentence that `agentkit doctor` prints.
    """
    bad = known_bad(installed_versions(), breaking_only=True)
    if bad:
        raise ImportError(f"{bad[0]}. `agentkit doctor` says more.")


def _removed_files() -> list[str]:
    """pip, going up from langgraph 0.2, deletes the old `langgraph/prebuilt` after writing the new one."""
    try:
        prebuilt = metadata.distribution("langgraph-prebuilt")
    except metadata.PackageNotFoundError:
        return []
    gone = [
        file
        for file in prebuilt.files or ()
        if file.suffix == ".py" and not prebuilt.locate_file(file).exists()  # type: ignore[attr-defined]
    ]
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
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _within(version: str | None, bounds: Range) -> bool:
    if version is None:
        return False
    low, high = bounds
    return _release(version) >= _release(low) and (not high or _release(version) <= _release(high))


def _release(version: str) -> tuple[int, ...]:
    """The numbers that a version starts with: (1, 2, 0) for "1.2.0rc1"."""
    return tuple(map(int, re.match(r"\d+(?:\.\d+)*", version).group().split(".")))  # type: ignore[union-attr]
