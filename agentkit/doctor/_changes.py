"""What changed in upstream's behaviour, version by version, read from `changes.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from agentkit._compat import release

_ENTRY = re.compile(r"- \*\*(?P<version>[^*]+)\*\*(?: \((?P<names>[^)]*)\))?: (?P<text>.*)")

# From this langgraph on: the langgraph-prebuilt that came out with it.
_PREBUILT_OF = (
    *(("0.3.0", "0.1.0"), ("0.3.34", "0.1.8"), ("0.4.10", "0.2.2"), ("0.5.4", "0.5.2"), ("0.6.11", "0.6.5")),
    *(("1.0.0", "1.0.0"), ("1.0.3", "1.0.5"), ("1.0.10", "1.0.8"), ("1.1.10", "1.0.12"), ("1.2.0", "1.1.0")),
    ("1.2.24", "1.1.3"),
)
# From this langgraph on: the oldest langchain that takes it. But for 1.2.11, which has no upper bound here.
_LANGCHAIN_OF = (("1.1.0", "1.2.11"), ("1.2.0", "1.3.0"))


@dataclass(frozen=True)
class Change:
    """One change of behaviour that a working program notices.

    Attributes:
        package: The distribution it came with.
        version: The first version that has it.
        text: What is different, and what to do about it.
        names: The program notices it only where it uses one of these. Empty: every program may.
    """

    package: str
    version: str
    text: str
    names: tuple[str, ...] = ()


def _read() -> tuple[Change, ...]:
    changes, package = [], ""
    for line in Path(__file__).with_name("changes.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            package = line[3:]
        elif found := _ENTRY.fullmatch(line):
            names = tuple(re.findall(r"`(\w+)`", found["names"] or ""))
            changes.append(Change(package, found["version"], found["text"], names))
    return tuple(changes)


CHANGES = _read()


def changes_since(package: str, version: str, installed: Mapping[str, str] | None = None) -> list[Change]:
    """The changes after a version and up to what is installed, oldest first within each package.

    Args:
        package: The distribution that `version` belongs to. From "langgraph", the changes of
            langgraph-prebuilt and langchain since then are included.
        version: The version that the user comes from.
        installed: Versions by distribution; what is newer than them is left out. Defaults to None, which
            leaves out nothing; nor does a distribution that is not in it.

    Returns:
        The changes. A langgraph between two releases whose prebuilt is known counts as the older one,
        so that a change is rather shown once too often. So does langchain: a langgraph goes with many.
    """
    start = {package: version}
    if package == "langgraph":
        start |= {"langgraph-prebuilt": _older(_PREBUILT_OF, version), "langchain": _older(_LANGCHAIN_OF, version)}
    since = {name: Version(text) for name, text in start.items()}
    until = {name: found for name, text in (installed or {}).items() if (found := release(text))}
    return [
        change
        for change in CHANGES
        if change.package in since
        and since[change.package] < (came := Version(change.version)) <= until.get(change.package, came)
    ]


def _older(table: Sequence[tuple[str, str]], langgraph: str) -> str:
    """The last entry that is not after this langgraph; "0" for none."""
    return next((other for since, other in reversed(table) if Version(since) <= Version(langgraph)), "0")
