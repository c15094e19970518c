"""`agentkit doctor`: what is installed, whether it works together, and what legacy code there is.

It imports neither langgraph nor langchain, so it works where they can't be imported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from agentkit import __version__
from agentkit._compat import (
    DISTRIBUTION,
    WATCHED,
    installed_versions,
    known_bad,
    not_versions,
    own_requirements,
    release,
)
from agentkit.doctor._changes import CHANGES, Change, changes_since
from agentkit.doctor._scan import places, scan

__all__ = ["CHANGES", "Change", "Diagnosis", "changes_since", "diagnose", "main"]


@dataclass
class Diagnosis:
    """What the doctor found.

    Attributes:
        installed: Versions by distribution, with "python".
        supported: What agentkit supports of each, as a version specifier.
        problems: One sentence for each thing that is wrong, with the command that mends it.
        mends_all: One command that mends them together, where there is more than one: alone, one may break another.
        changes: What changed in behaviour from the version that the user comes from to the installed one. Where files
            were scanned: what they use first, with the place, and without what they can't have used.
        legacy: Legacy names by file, with counts.
        unreadable: Files that could not be scanned, with the reason.
    """

    installed: dict[str, str]
    supported: dict[str, str]
    problems: list[str]
    mends_all: str = ""
    changes: list[str] = field(default_factory=list)
    legacy: dict[str, dict[str, int]] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)


def diagnose(paths: Sequence[Path] = (), came_from: str | None = None) -> Diagnosis:
    """Look at the installed versions and, where given, at source files.

    Args:
        paths: Files and folders to scan for legacy names. Defaults to none.
        came_from: The version the user comes from: "0.6.11" (of langgraph) or "langchain==1.3.0".
            Defaults to None, which lists no changes.

    Returns:
        The diagnosis.

    Raises:
        ValueError: `came_from` is not a version, newer than the installed one, or of a package that is not watched.
        FileNotFoundError: One of the paths does not exist.

    Example:
        ```python
        from agentkit.doctor import diagnose

        assert diagnose().problems == []
        ```
    """
    installed = installed_versions()
    known = known_bad(installed)
    diagnosis = Diagnosis(installed, _supported(), known + _unmet(installed, known))
    # What mends a known-bad pair may still be too old for agentkit. pip -U does not mend a version that is none.
    if not not_versions(installed) and (len(diagnosis.problems) > 1 or (known and _unmet(installed, ()))):
        newest = [
            name for name in WATCHED if name in installed and (name != "deepagents" or sys.version_info >= (3, 11))
        ]
        diagnosis.mends_all = f"pip install -U {' '.join([DISTRIBUTION, *newest])}"
    if came_from is not None:
        package, version = _parse_from(came_from, installed)
        diagnosis.changes = _ranked(changes_since(package, version, installed), paths)
    diagnosis.legacy, diagnosis.unreadable = scan(paths)
    return diagnosis


def main(argv: Sequence[str]) -> int:
    """Run `agentkit doctor`.

    Args:
        argv: The arguments after `agentkit doctor`.

    Returns:
        0 where nothing is wrong with the installed versions, 1 where something is, 2 for a wrong command.
    """
    parser = argparse.ArgumentParser(
        prog="agentkit doctor",
        description="Check the installed versions, and scan files for legacy use.",
        epilog="exit: 0 good, 1 problems with the versions, 2 a wrong command line, 130 interrupted",
    )
    parser.add_argument("paths", nargs="*", type=Path, help="files and folders to scan for legacy names")
    parser.add_argument(
        "--from",
        dest="came_from",
        metavar="VERSION",
        help="list what changed in behaviour since this langgraph version (or: langchain==1.3.0)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(argv)
    try:
        diagnosis = diagnose(options.paths, options.came_from)
    except (ValueError, FileNotFoundError) as error:
        print(f"agentkit doctor: {error}", file=sys.stderr)
        return 2
    print(json.dumps(vars(diagnosis), indent=2) if options.json else _report(diagnosis, bool(options.paths)))
    return 1 if diagnosis.problems else 0


def _supported() -> dict[str, str]:
    """The version ranges of agentkit's own requirements, extras included."""
    return {needed.name: str(needed.specifier) for needed in own_requirements() if needed.name in WATCHED}


def _unmet(installed: dict[str, str], known: Sequence[str]) -> list[str]:
    """Requirements between the watched distributions that are not met.

    Left out are those of and for a version that a known-bad pair names: its command mends it, and theirs might not.
    So are those of a distribution that has to be replaced itself: what it needs is not what its successor needs.
    """
    found: dict[str, tuple[str, str]] = {}
    for name in (DISTRIBUTION, *(name for name in WATCHED if name in installed)):
        for requirement in _requirements(name, installed):
            has = installed.get(requirement.name)
            named = (f"{requirement.name} {has}", f"{name} {installed.get(name)}")
            if any(version in sentence for version in named for sentence in known):
                continue
            if has is not None and requirement.specifier.contains(has, prereleases=True):
                continue
            asked = f"{requirement.name}{requirement.specifier}"
            sentence = (
                f"{name} {metadata.version(name)} needs {asked}, "
                f"{'which is not installed' if has is None else f'installed is {has}'}; run: pip install '{asked}'"
            )
            found[sentence] = (name, requirement.name)
    replaced = {needed for _, needed in found.values()}
    return [sentence for sentence, (name, _) in found.items() if name not in replaced] or list(found)


def _requirements(name: str, installed: dict[str, str]) -> Iterator[Requirement]:
    """What a distribution requires of watched ones here, and agentkit's extras of those that are installed."""
    extras = (metadata.metadata(name).get_all("Provides-Extra") or []) if name == DISTRIBUTION else []
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        marker = requirement.marker
        judged = ["", *extras] if requirement.name in installed else [""]
        if requirement.name in WATCHED and (not marker or any(marker.evaluate({"extra": extra}) for extra in judged)):
            yield requirement


def _parse_from(text: str, installed: Mapping[str, str]) -> tuple[str, str]:
    package, _, version = (part.strip() for part in text.rpartition("=="))
    package = package.lower().replace("_", "-") or "langgraph"
    known = sorted({change.package for change in CHANGES})
    if package not in known:
        raise ValueError(f"--from: no changes are recorded for {package!r}; there are some for {', '.join(known)}")
    if (came_from := release(version)) is None:
        raise ValueError(f"--from: {version!r} is not a version; write 0.6.11 or langchain==1.3.0")
    has = release(installed.get(package, ""))
    if has and came_from > has:
        raise ValueError(f"--from: {package} {version} is newer than the installed {has}; give the one you come from")
    return package, version


def _ranked(changes: Sequence[Change], paths: Sequence[Path]) -> list[str]:
    """The changes as text. With files to look at: what they use first, with the place, and not what they can't use."""
    used = places([name for change in changes for name in change.names], paths) if paths else {}
    said = []
    for change in changes:
        where = min((used[name] for name in change.names if name in used), default=None)
        if where or not change.names or not paths:
            file, line = where or ("", 0)
            at = f" ({file}:{line})" if where else ""
            said.append((not where, f"{change.package} {change.version}: {change.text}{at}"))
    return [text for _, text in sorted(said, key=lambda item: item[0])]


def _report(diagnosis: Diagnosis, scanned: bool) -> str:
    lines = [f"agentkit {__version__} on Python {diagnosis.installed['python']}"]
    for name in WATCHED:
        if name in diagnosis.installed or name in diagnosis.supported:
            version = diagnosis.installed.get(name, "not installed")
            supported = diagnosis.supported.get(name)
            lines.append(f"  {name:<30}{version:<15}{f'supported: {supported}' if supported else ''}".rstrip())
    lines.append("")
    lines += [f"PROBLEM {sentence}." for sentence in diagnosis.problems] or ["No known problem."]
    if diagnosis.mends_all:
        lines.append(f"All of it at once: {diagnosis.mends_all}")
    if diagnosis.changes:
        lines += ["", "Changed since then:", *(f"  - {change}" for change in diagnosis.changes)]
    if diagnosis.legacy or diagnosis.unreadable:
        lines += ["", "Legacy names of langgraph.prebuilt:"]
        for file, counts in diagnosis.legacy.items():
            lines.append(f"  {file}: {', '.join(f'{name} {count}' for name, count in counts.items())}")
        lines += [f"  not read: {reason}" for reason in diagnosis.unreadable]
        lines.append("`agentkit migrate` rewrites them; on agentkit.prebuilt they go on working as they are.")
    elif scanned:
        lines += ["", "No legacy names of langgraph.prebuilt in the files that were scanned."]
    return "\n".join(lines)
