"""What the new imports need, and what a project's own lists of dependencies say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from agentkit.migrate.files import Run

_LISTED = re.compile(r"""(?P<quote>["'])(?P<text>[A-Za-z][\w.\-]*(?:\[[^\]]*\])?\s*(?:[=<>!~][^"']*)?)(?P=quote)""")


@dataclass(frozen=True)
class Need:
    """One line of a list of dependencies that does not fit.

    Attributes:
        file: The list.
        old: What it says; "" where it says nothing of the package.
        new: What the new imports need.
    """

    file: Path
    old: str
    new: str

    def __str__(self) -> str:
        if self.old:
            return f"{self.file}: {self.old} has to become {self.new}"
        return f"{self.file}: the new imports need {self.new}"


def needs(run: Run, paths: Sequence[Path]) -> list[Need]:
    """Compare what the rewritten files import with the nearest requirements*.txt and pyproject.toml."""
    wanted = _wanted(run)
    found = []
    for file in _lists(paths[0]) if wanted else ():
        listed = {requirement.name.lower(): (text, requirement) for text, requirement in _requirements(file)}
        if not listed.keys() & {"langgraph", "langchain-core", "langgraph-prebuilt"}:
            continue  # a list that is not about this code
        for name, new in wanted.items():
            text, old = listed.get(name, ("", None))
            if old is None:
                found.append(Need(file, "", str(new)))
            elif not _fits(old.specifier, new.specifier):
                found.append(Need(file, text, str(new)))
    return found


def write(found: Sequence[Need]) -> None:
    """Put what is needed into requirements files and into the lists of pyproject.toml, line by line."""
    for need in found:
        text = need.file.read_text(encoding="utf-8")
        if need.old:
            text = text.replace(need.old, need.new, 1)
        elif need.file.suffix == ".txt":
            text = f"{text.rstrip()}\n{need.new}\n"
        else:
            text = re.sub(r"(?m)^(dependencies\s*=\s*\[)", rf'\1"{need.new}", ', text, count=1)
        need.file.write_text(text, encoding="utf-8")


def _wanted(run: Run) -> dict[str, Requirement]:
    texts = [file.result.source for file in run.files if file.result and file.changed]
    own = {Requirement(text).name: Requirement(text.partition(";")[0]) for text in _own()}
    wanted: dict[str, Requirement] = {}
    if any(re.search(r"^\s*from langchain\.", text, re.MULTILINE) for text in texts):
        wanted = {name: own[name] for name in ("langchain", "langgraph") if name in own}
    if any(re.search(r"^\s*(from|import) agentkit\b", text, re.MULTILINE) for text in texts):
        wanted["langgraph-agentkit"] = Requirement(
            f"langgraph-agentkit>={version('langgraph-agentkit').split('.dev')[0]}"
        )
    return wanted


def _own() -> list[str]:
    try:
        return requires("langgraph-agentkit") or []
    except PackageNotFoundError:  # run from a checkout that is not installed
        return []


def _lists(path: Path) -> Iterator[Path]:
    """The nearest lists of dependencies around a path."""
    for directory in (path.absolute(), *path.absolute().parents):
        here = sorted(directory.glob("requirements*.txt")) if directory.is_dir() else []
        here += [directory / "pyproject.toml"] if (directory / "pyproject.toml").is_file() else []
        yield from here
        if here or (directory / ".git").exists():
            return


def _requirements(file: Path) -> Iterator[tuple[str, Requirement]]:
    text = file.read_text(encoding="utf-8", errors="replace")
    lines = (
        [line.partition("#")[0].strip() for line in text.splitlines()]
        if file.suffix == ".txt"
        else [match["text"] for match in _LISTED.finditer(text)]
    )
    for line in filter(None, lines):
        with suppress(InvalidRequirement):  # an option of pip, a path, or no requirement at all
            yield line, Requirement(line)


def _fits(old: SpecifierSet, new: SpecifierSet) -> bool:
    """Whether a version that the old specifier allows is one that the new one asks for."""
    exact = [part.version for part in old if part.operator == "=="]
    lowest = [part.version for part in new if part.operator == ">="]
    return all(new.contains(text.removesuffix(".*")) for text in exact) and (
        bool(exact)
        or not lowest
        or any(old.contains(text) for text in [*lowest, *(part.version for part in old)] if new.contains(text))
    )
