"""Judging a tool call by the rules: every path it could mean, in the strictest reading."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool

from agentkit.permissions._backends import FileTool, file_tool
from agentkit.permissions._match import matches, matches_loosely
from agentkit.permissions._rules import (
    FILE_TOOLS,
    KINDS,
    MODES,
    SEARCH_TOOLS,
    FilesystemPermission,
    Mode,
    Operation,
    PathArgument,
    PolicyResult,
    Scope,
    entry_for,
    path_arguments,
)

# deepagents' reading first; the second is that of filesystems that ignore letter case. The stricter one counts.
_READINGS = (matches, matches_loosely)
_WILDCARDS = frozenset("*?[{")
# A part of a glob pattern that can stand for "..", such as ".[.]" or "{.,}.".
_CAN_BE_PARENT = re.compile(r"(?=.*\.)(?!\.$)[.\[\]{},]+")
_Resolve = Callable[[str], str]


@dataclass(frozen=True)
class FileRules:
    """Permission rules with what is needed to judge a call by them. It never changes.

    Pass it as `permissions=` where a plain list of rules does not say enough. The file tools of deepagents and
    langchain are judged by the real paths of their own backend; `root` and `resolve` are for other tools.

    Args:
        rules: The rules, first match first. deepagents' own `FilesystemPermission` is accepted too.
        root: A directory of the real filesystem that `/` of the rules stands for. Symbolic links below
            it are followed and the target is judged as well. None (default) means that paths are
            names only, as in a virtual filesystem.
        tools: Path arguments by tool name or pattern (`"read_*"`), for tools that can't be decorated with
            `path_argument`. The most specific entry counts.
        resolve: Gives the real path of a path, for filesystems other than `root`. It may raise
            `ValueError`, `OSError` or `RuntimeError`, which counts as a path that can't be resolved.

    Raises:
        ValueError: If a rule or an entry of `tools` is not valid.

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
        rules = [FilesystemPermission(list(rule.operations), list(rule.paths), rule.mode) for rule in self.rules]
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "tools", {name: _check_paths(name, given) for name, given in self.tools.items()})

    def arguments_of(self, name: str, tool: BaseTool | None = None) -> tuple[PathArgument, ...]:
        """Return the path arguments of a tool: those given here, else declared on it, else built in.

        Args:
            name: The tool's name.
            tool: The tool, if at hand.

        Returns:
            The path arguments, empty for a tool that handles no paths.
        """
        given: Any = entry_for(name, self.tools)
        declared = path_arguments(tool) if tool is not None else ()
        if given is not None or declared:
            return given if given is not None else declared
        built_in = file_tool(tool)
        return {**FILE_TOOLS, **SEARCH_TOOLS}.get(built_in.name, ()) if built_in else FILE_TOOLS.get(name, ())

    def judge(self, name: str, args: Mapping[str, Any], tool: BaseTool | None = None) -> PolicyResult:
        """Judge one tool call.

        Args:
            name: The tool's name.
            args: The call's arguments.
            tool: The tool that will run, if at hand. A built-in file tool is recognised by it, whatever its name, and
                judged by the real paths of its own backend.

        Returns:
            The strictest result over all path arguments of the tool. Its reason names what every path leads to, so a
            call whose reason changes leads elsewhere.
        """
        judge = _Judge(self, file_tool(tool))
        results: list[PolicyResult] = []
        for one in self.arguments_of(name, tool):
            results += [judge.path(one, path) for path in _paths_in(args.get(one.argument))]
            if one.pattern is not None and one.pattern in args:
                results.append(judge.pattern(one, args[one.pattern], args.get(one.argument)))
        return _strictest(results)

    def check(self, operation: Operation, path: str) -> Mode:
        """Match one normal path against the rules.

        Args:
            operation: `"read"` or `"write"`.
            path: An absolute path without `.`, `..` or doubled slashes.

        Returns:
            The mode of the first rule that matches, else `"allow"`; the stricter one where letter case
            or a leading dot makes a difference.
        """
        return _match(self.rules, operation, path).mode

    def visible(self, paths: Iterable[str], operation: Operation = "read") -> list[str]:
        """Drop the denied paths from the results of a search, as deepagents' own tools do.

        Args:
            paths: The paths found.
            operation: `"read"` (default) or `"write"`.

        Returns:
            The paths that no deny rule matches and that can be resolved. Paths under an `interrupt`
            rule stay: the search itself was reviewed.
        """
        judge, exact = _Judge(self, None), PathArgument("path", operation)
        return [path for path in paths if judge.path(exact, path).kind != "deny"]


class _Judge:
    """Rules, and how the paths of one tool are resolved.

    Args:
        rules: The rules.
        built_in: What is known of a built-in file tool, or None for any other tool.
    """

    def __init__(self, rules: FileRules, built_in: FileTool | None) -> None:
        self.rules: Sequence[FilesystemPermission] = rules.rules
        self.root = None if rules.root is None else os.path.realpath(rules.root)
        own = (rules.resolve, None if built_in is None else built_in.resolve)
        self.resolvers: list[_Resolve] = [resolve for resolve in own if resolve is not None]
        if self.root is not None:
            self.resolvers.append(self._below_root)
        # A tool that leaves out of its results what these very rules deny need not be denied for what lies below.
        filters = built_in is not None and _denials(built_in.rules) == _denials(self.rules)
        self.counts_below = ("interrupt",) if filters else ("interrupt", "deny")

    def path(self, one: PathArgument, raw: object) -> PolicyResult:
        try:
            candidates = self._candidates(raw, one.scope)
        except (ValueError, OSError, RuntimeError) as error:
            return self._unresolved(one.operation, raw, error)
        results = [_match(self.rules, one.operation, path) for path in candidates]
        if one.scope == "subtree" and not self._is_file(candidates):
            results += [self._below(one.operation, path) for path in candidates]
        return _strictest(results)

    def pattern(self, one: PathArgument, raw: object, base: object) -> PolicyResult:
        """A glob pattern that is absolute or climbs searches elsewhere than in the path given; so may a link in it."""
        if raw is None:
            return PolicyResult()
        if not isinstance(raw, str):
            return self._unresolved(one.operation, raw, ValueError("not text"))
        pattern = raw.replace("\\", "/")
        pieces = re.split(r"[{},]", pattern)
        climbs = ".." in re.split(r"[/{},]", pattern) or any(p.startswith("~") for p in pieces)
        climbs = climbs or any(map(_CAN_BE_PARENT.fullmatch, pattern.split("/")))
        if climbs or any(p.startswith("/") for p in pieces[1:]):
            return self._unresolved(one.operation, raw, ValueError("the pattern leads out of the path"))
        start = _anchor(pattern)
        if not pattern.startswith("/"):
            if start == "/":
                return PolicyResult()
            start = f"{base if isinstance(base, str) else ''}{start}"
        return self.path(PathArgument(one.argument, one.operation, "subtree"), start)

    def _below(self, operation: Operation, path: str) -> PolicyResult:
        """Rules whose pattern could match something in the tree at `path`, whatever comes first."""
        results = (
            _result(operation, f"what lies below {path}", rule.mode, pattern)
            for rule in self.rules
            if operation in rule.operations and rule.mode in self.counts_below
            for pattern in rule.paths
            if _overlap(path, _anchor(pattern))
        )
        return max(results, key=_strictness, default=PolicyResult())

    def _unresolved(self, operation: Operation, raw: object, error: Exception) -> PolicyResult:
        """A path nobody can place is treated as lying under every rule."""
        modes = [rule.mode for rule in self.rules if operation in rule.operations]
        return _strictest(PolicyResult(KINDS[MODES.index(m)], (), f"{operation} on {raw!r}: {error}") for m in modes)

    def _candidates(self, raw: object, scope: Scope) -> list[str]:
        """Every path a tool could mean by `raw`."""
        if raw is None and scope == "subtree":
            raw = "/"
        path = normal_path(raw)
        found = [path, normal_path(raw, backslash=False)]
        if path == "/" and not str(raw).startswith(("/", "\\")):
            found.append("/.")  # what deepagents makes of "./"
        for resolve in self.resolvers:
            found += [normal_path(resolve(one)) for one in dict.fromkeys(found)]
        return list(dict.fromkeys(found))

    def _below_root(self, path: str) -> str:
        root = str(self.root)
        real = os.path.realpath(os.path.join(root, path.lstrip("/")))
        if os.path.commonpath([root, real]) != root:
            raise ValueError(f"{path} leads out of the root")
        return os.path.relpath(real, root)

    def _is_file(self, candidates: Sequence[str]) -> bool:
        """Whether a subtree is known to be one plain file, which has nothing below it."""
        root = self.root
        return root is not None and all(os.path.isfile(os.path.join(root, path.lstrip("/"))) for path in candidates)


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


def _check_paths(name: object, given: Any) -> tuple[PathArgument, ...]:
    found = (given,) if isinstance(given, PathArgument) else given
    if not isinstance(found, (list, tuple)) or not found or not all(isinstance(one, PathArgument) for one in found):
        raise ValueError(
            f"permissions: tools[{name!r}] must be a PathArgument or a list of them, got {given!r}. Write "
            f'tools={{{name!r}: PathArgument("path", "read")}} with the name of the argument that holds the path.'
        )
    return tuple(found)


def _paths_in(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) and value else [value]


def _match(rules: Iterable[FilesystemPermission], operation: Operation, path: str) -> PolicyResult:
    """The first rule that matches, in the stricter of both readings."""
    results = []
    for reading in _READINGS:
        hits = ((r, p) for r in rules if operation in r.operations for p in r.paths if reading(p, path))
        rule, pattern = next(hits, (None, ""))
        results.append(PolicyResult() if rule is None else _result(operation, path, rule.mode, pattern))
    return max(results, key=_strictness)


def _strictest(results: Iterable[PolicyResult]) -> PolicyResult:
    """The strictest of several results, with the reasons of all that are as strict."""
    found = list(results)
    most = max(map(_strictness, found), default=0)
    reasons = dict.fromkeys(one.reason for one in found if _strictness(one) == most)
    return PolicyResult(KINDS[most], (), "; ".join(reasons)) if most else PolicyResult()


def _strictness(result: PolicyResult) -> int:
    return KINDS.index(result.kind)


def _result(operation: Operation, path: str, mode: Mode, pattern: str) -> PolicyResult:
    return PolicyResult(KINDS[MODES.index(mode)], (), f"{operation} on {path} (rule {mode} {pattern})")


def _denials(rules: Iterable[Any]) -> list[Any]:
    """What decides whether a path is denied: the other modes are alike in that."""
    return [(set(rule.operations), list(rule.paths), rule.mode == "deny") for rule in rules]


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
