"""Judging a tool call by the rules: every path it could mean, in the strictest reading."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from langchain_core.tools import BaseTool
from wcmatch import glob

from agentkit.permissions._rules import (
    FILE_TOOLS,
    FLAGS,
    MODES,
    FilesystemPermission,
    Mode,
    Operation,
    PathArgument,
    Scope,
    path_arguments,
)

# deepagents' reading first; the second also sees dotfiles, other letter case and other forms of accents, as some
# filesystems do. The stricter one counts.
_READINGS: tuple[tuple[int, Callable[[str], str]], ...] = (
    (FLAGS, str),
    (FLAGS | glob.DOTGLOB | glob.IGNORECASE, lambda text: unicodedata.normalize("NFC", text)),
)
_WILDCARDS = frozenset("*?[{")
# A part of a glob pattern that can stand for "..", such as ".[.]" or "{.,}.".
_CAN_BE_PARENT = re.compile(r"(?=.*\.)(?!\.$)[.\[\]{},]+")


@dataclass(frozen=True)
class Verdict:
    """What the rules say about a call.

    Attributes:
        mode: `"allow"`, `"interrupt"` or `"deny"`.
        reason: Which operation, path and rule led to it, in words for the model and the reviewer.
    """

    mode: Mode = "allow"
    reason: str = ""


@dataclass
class FileRules:
    """Permission rules with what is needed to judge a call by them.

    Pass it as `permissions=` where a plain list of rules does not say enough.

    Args:
        rules: The rules, first match first. deepagents' own `FilesystemPermission` is accepted too.
        root: A directory of the real filesystem that `/` of the rules stands for. Symbolic links below
            it are followed and the target is judged as well. None (default) means that paths are
            names only, as in a virtual filesystem.
        tools: Path arguments by tool name, for tools that can't be decorated with `path_argument`.
        resolve: Gives the real path of a path, for filesystems other than `root`. It may raise
            `ValueError`, `OSError` or `RuntimeError`, which counts as a path that can't be resolved.

    Raises:
        ValueError: If a rule is not valid.

    Example:
        ```python
        FileRules([FilesystemPermission(["write"], ["/**"], "interrupt")], root="/srv/workspace")
        ```
    """

    rules: Sequence[Any]
    root: str | Path | None = None
    tools: Mapping[str, PathArgument | Sequence[PathArgument]] = field(default_factory=dict)
    resolve: Callable[[str], str] | None = None

    def __post_init__(self) -> None:
        self.rules = [
            rule
            if isinstance(rule, FilesystemPermission)
            else FilesystemPermission(list(rule.operations), list(rule.paths), rule.mode)
            for rule in self.rules
        ]

    def arguments_of(self, name: str, tool: BaseTool | None = None) -> tuple[PathArgument, ...]:
        """Return the path arguments of a tool: those given here, else declared on it, else built in.

        Args:
            name: The tool's name.
            tool: The tool, if at hand.

        Returns:
            The path arguments, empty for a tool that handles no paths.
        """
        if name in self.tools:
            given = self.tools[name]
            return (given,) if isinstance(given, PathArgument) else tuple(given)
        declared = path_arguments(tool) if tool is not None else ()
        return declared or FILE_TOOLS.get(name, ())

    def judge(
        self, name: str, args: Mapping[str, Any], tool: BaseTool | None = None, *, denies: bool = True
    ) -> Verdict:
        """Judge one tool call.

        Args:
            name: The tool's name.
            args: The call's arguments.
            tool: The tool, if at hand.
            denies: Whether deny rules on what lies below a `subtree` path count. False where the tool
                filters its own results, as deepagents' tools do.

        Returns:
            The strictest verdict over all path arguments of the tool.
        """
        verdicts = [
            self._judge_path(one, path, denies)
            for one in self.arguments_of(name, tool)
            for path in _paths_in(args.get(one.argument), one.scope)
        ]
        verdicts += [
            self._judge_pattern(one, args[one.pattern], denies)
            for one in self.arguments_of(name, tool)
            if one.pattern is not None and one.pattern in args
        ]
        return _strictest(verdicts)

    def check(self, operation: Operation, path: str) -> Mode:
        """Match one normal path against the rules.

        Args:
            operation: `"read"` or `"write"`.
            path: An absolute path without `.`, `..` or doubled slashes.

        Returns:
            The mode of the first rule that matches, else `"allow"`; the stricter one where letter case
            or a leading dot makes a difference.
        """
        return _strictest(self._match(operation, path)).mode

    def visible(self, paths: Iterable[str], operation: Operation = "read") -> list[str]:
        """Drop the denied paths from the results of a search, as deepagents' own tools do.

        Args:
            paths: The paths found.
            operation: `"read"` (default) or `"write"`.

        Returns:
            The paths that no deny rule matches and that can be resolved. Paths under an `interrupt`
            rule stay: the search itself was reviewed.
        """
        exact = PathArgument("path", operation)
        return [path for path in paths if self._judge_path(exact, path, True).mode != "deny"]

    def _match(self, operation: Operation, path: str) -> list[Verdict]:
        found = []
        for flags, form in _READINGS:
            for rule in self.rules:
                hit = next((p for p in rule.paths if glob.globmatch(form(path), form(p), flags=flags)), None)
                if operation in rule.operations and hit is not None:
                    found.append(Verdict(rule.mode, _reason(operation, path, rule.mode, hit)))
                    break
        return found

    def _judge_path(self, one: PathArgument, raw: object, denies: bool) -> Verdict:
        try:
            candidates = self._candidates(raw, one.scope)
        except (ValueError, OSError, RuntimeError) as error:
            return self._unresolved(one.operation, raw, error)
        verdicts = [v for path in candidates for v in self._match(one.operation, path)]
        if one.scope == "subtree" and not self._is_file(candidates):
            verdicts += [v for path in candidates for v in self._below(one.operation, path, denies)]
        return _strictest(verdicts)

    def _below(self, operation: Operation, path: str, denies: bool) -> list[Verdict]:
        """Rules whose pattern could match something in the tree at `path`, whatever comes first."""
        return [
            Verdict(rule.mode, _reason(operation, f"what lies below {path}", rule.mode, pattern))
            for rule in self.rules
            if operation in rule.operations and rule.mode in ("interrupt", "deny" if denies else "")
            for pattern in rule.paths
            if _overlap(path, _anchor(pattern))
        ]

    def _judge_pattern(self, one: PathArgument, raw: object, denies: bool) -> Verdict:
        """A glob pattern that is absolute, or climbs, searches elsewhere than in the path given."""
        if raw is None:
            return Verdict()
        if not isinstance(raw, str):
            return self._unresolved(one.operation, raw, ValueError("not text"))
        pattern = raw.replace("\\", "/")
        pieces = re.split(r"[{},]", pattern)
        climbs = ".." in re.split(r"[/{},]", pattern) or any(p.startswith("~") for p in pieces)
        climbs = climbs or any(map(_CAN_BE_PARENT.fullmatch, pattern.split("/")))
        if climbs or any(p.startswith("/") for p in pieces[1:]):
            return self._unresolved(one.operation, raw, ValueError("the pattern leads out of the path"))
        if not pattern.startswith("/"):
            return Verdict()
        return _strictest(self._below(one.operation, _anchor(pattern), denies))

    def _unresolved(self, operation: Operation, raw: object, error: Exception) -> Verdict:
        """A path nobody can place is treated as lying under every rule."""
        modes = [r.mode for r in self.rules if operation in r.operations and r.mode != "allow"]
        return _strictest(Verdict(mode, f"{operation} on {raw!r}: {error}") for mode in modes)

    def _candidates(self, raw: object, scope: Scope) -> list[str]:
        """Every path a tool could mean by `raw`."""
        if raw is None and scope == "subtree":
            raw = "/"
        path = normal_path(raw)
        literal = normal_path(raw, backslash=False)
        found = list(dict.fromkeys([path, literal]))
        if path == "/" and not str(raw).startswith(("/", "\\")):
            found.append("/.")  # what deepagents makes of "./"
        if self.resolve is not None:
            found.append(normal_path(self.resolve(path)))
        if self.root is not None:
            found += [self._below_root(one) for one in found]
        return list(dict.fromkeys(found))

    def _below_root(self, path: str) -> str:
        root = os.path.realpath(cast("str | Path", self.root))
        real = os.path.realpath(os.path.join(root, path.lstrip("/")))
        if os.path.commonpath([root, real]) != root:
            raise ValueError(f"{path} leads out of the root")
        return normal_path(os.path.relpath(real, root))

    def _is_file(self, candidates: Sequence[str]) -> bool:
        """Whether a subtree is known to be one plain file, which has nothing below it."""
        if self.root is None:
            return False
        return all(os.path.isfile(os.path.join(self.root, path.lstrip("/"))) for path in candidates)


def normal_path(raw: object, *, backslash: bool = True) -> str:
    """Bring a path into the one form the rules are matched against.

    Args:
        raw: The path a tool was given.
        backslash: Whether a backslash separates, as in deepagents. Default True.

    Returns:
        An absolute path with `/` between the parts and no `.`, doubled or trailing slash.

    Raises:
        ValueError: If it is not text, or contains `..`, a leading `~`, a drive letter or a zero byte.
    """
    if not isinstance(raw, str):
        raise ValueError(f"a path must be text, got {type(raw).__name__}")
    posix = raw.replace("\\", "/")
    if ".." in posix.split("/"):
        raise ValueError("'..' is not allowed in a path")
    if raw.startswith("~") or re.match(r"^[a-zA-Z]:", raw) or "\0" in raw:
        raise ValueError("a path must not start with '~' or a drive letter or hold a zero byte")
    text = posix if backslash else raw
    return posixpath.normpath("/" + text.lstrip("/"))


def as_rules(permissions: FileRules | Sequence[Any] | None) -> FileRules | None:
    """Return `permissions=` of an agent as `FileRules`, or None where there are no rules.

    Args:
        permissions: What the user passed.

    Returns:
        The rules, checked.

    Raises:
        ValueError: If a rule is not valid.
    """
    if permissions is None:
        return None
    rules = permissions if isinstance(permissions, FileRules) else FileRules(permissions)
    return rules if rules.rules else None


def _paths_in(value: object, scope: Scope) -> list[object]:
    if isinstance(value, (list, tuple)) and value:
        return list(value)
    return [value]


def _strictest(verdicts: Iterable[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: MODES.index(verdict.mode), default=Verdict())


def _reason(operation: Operation, path: str, mode: Mode, pattern: str) -> str:
    return f"{operation} on {path} (rule {mode} {pattern})"


def _anchor(pattern: str) -> str:
    """The leading directories of a pattern that hold no wildcard."""
    parts: list[str] = []
    for part in pattern.strip("/").split("/"):
        if _WILDCARDS & set(part):
            break
        parts.append(part)
    return posixpath.normpath("/" + "/".join(parts))


def _overlap(path: str, anchor: str) -> bool:
    """Whether one tree lies in the other, by components and in any letter case."""
    forms = (unicodedata.normalize("NFC", p).casefold() for p in (path, anchor))
    one, other = ([part for part in form.split("/") if part] for form in forms)
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
