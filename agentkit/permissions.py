"""Rules that say which paths an agent's tools may read or write, and which need a person.

The rules have the shape of deepagents' and are matched with the same glob library, but they are
checked when they are written down, and where a path is ambiguous the strictest reading counts.

Example:
    ```python
    from agentkit.agents import create_agent
    from agentkit.permissions import FilesystemPermission, path_argument


    @path_argument("target", "write")
    @tool
    def save_report(target: str, text: str) -> str:
        "Save a report."
        ...


    agent = create_agent(
        model,
        [save_report],
        permissions=[FilesystemPermission(["write"], ["/secrets/**"], mode="interrupt")],
        checkpointer=saver,
    )
    ```
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from langchain_core.tools import BaseTool
from langchain_core.tools import tool as make_tool
from wcmatch import glob

Operation = Literal["read", "write"]
Mode = Literal["allow", "deny", "interrupt"]
Scope = Literal["exact", "subtree"]

_OPERATIONS: tuple[Operation, ...] = ("read", "write")
_MODES: tuple[Mode, ...] = ("allow", "interrupt", "deny")  # from the least to the most strict
_SCOPES: tuple[Scope, ...] = ("exact", "subtree")
_FLAGS = glob.BRACE | glob.GLOBSTAR | glob.FORCEUNIX
# deepagents' reading first; the second also sees dotfiles and other letter case. The stricter one counts.
_READINGS = (_FLAGS, _FLAGS | glob.DOTGLOB | glob.IGNORECASE)
_WILDCARDS = frozenset("*?[{")
_METADATA = "agentkit_path_arguments"


@dataclass
class FilesystemPermission:
    """One rule. The first rule that matches a call decides; a call no rule matches is allowed.

    It has the fields and meaning of deepagents' `FilesystemPermission`, and refuses what deepagents
    accepts and then never enforces: an unknown mode or operation and empty lists.

    Args:
        operations: `"read"`, `"write"` or both.
        paths: Glob patterns of absolute paths (`*`, `**`, `?`, `[...]`, `{a,b}`).
        mode: `"allow"` (default), `"deny"` (the tool answers with an error) or `"interrupt"` (the call
            waits for a person).

    Raises:
        ValueError: If a value is unknown, empty, relative, or a path contains `..`, `~` or a backslash.

    Example:
        ```python
        FilesystemPermission(["read", "write"], ["/secrets/**"], mode="interrupt")
        ```
    """

    operations: list[Operation]
    paths: list[str]
    mode: Mode = "allow"

    def __post_init__(self) -> None:
        if self.mode not in _MODES:
            raise ValueError(f"mode={self.mode!r} is not one of {', '.join(map(repr, _MODES))}.")
        for name, value in (("operations", self.operations), ("paths", self.paths)):
            if not isinstance(value, (list, tuple)) or not value:
                raise ValueError(f"{name} must be a list that is not empty, got {value!r}.")
        for operation in self.operations:
            if operation not in _OPERATIONS:
                raise ValueError(f"operation {operation!r} is not one of 'read', 'write'.")
        for pattern in self.paths:
            _check_pattern(pattern)


def _check_pattern(pattern: object) -> None:
    if not isinstance(pattern, str) or not pattern.startswith("/"):
        raise ValueError(f"a permission path must be text that starts with '/', got {pattern!r}.")
    parts = re.split(r"[/{},]", pattern)
    if ".." in parts or "~" in parts:
        raise ValueError(f"a permission path must not contain '..' or '~', got {pattern!r}.")
    if "\\" in pattern or "\0" in pattern:
        raise ValueError(f"a permission path must be written with '/' alone, got {pattern!r}.")
    try:
        glob.globmatch("/", pattern, flags=_FLAGS)
    except Exception as error:
        raise ValueError(f"the permission path {pattern!r} is not a pattern: {error}") from error


@dataclass(frozen=True)
class PathArgument:
    """Which argument of a tool is a path, and what the tool does to it.

    Args:
        argument: The argument's name. Its value may be a path or a list of paths.
        operation: `"read"` or `"write"`.
        scope: `"exact"` (default) for tools that touch the path itself, `"subtree"` for those that
            reach everything below it, such as a search or a recursive delete.
        pattern: An argument that holds a glob pattern, which can lead out of the path.
    """

    argument: str
    operation: Operation
    scope: Scope = "exact"
    pattern: str | None = None

    def __post_init__(self) -> None:
        if self.operation not in _OPERATIONS:
            raise ValueError(f"operation={self.operation!r} is not one of 'read', 'write'.")
        if self.scope not in _SCOPES:
            raise ValueError(f"scope={self.scope!r} is not one of 'exact', 'subtree'.")


FILE_TOOLS: dict[str, tuple[PathArgument, ...]] = {
    "ls": (PathArgument("path", "read", "subtree"),),
    "read_file": (PathArgument("file_path", "read"),),
    "write_file": (PathArgument("file_path", "write"),),
    "edit_file": (PathArgument("file_path", "write"),),
    "delete": (PathArgument("file_path", "write", "subtree"),),
    "glob": (PathArgument("path", "read", "subtree", "pattern"),),
    "grep": (PathArgument("path", "read", "subtree"),),
}
"""The path arguments of deepagents' file tools."""


def path_argument(
    argument: str, operation: Operation, scope: Scope = "exact"
) -> Callable[[BaseTool | Callable[..., Any]], BaseTool]:
    """Declare that an argument of a tool is a path, so that permission rules cover the tool.

    Args:
        argument: The argument's name. Its value may be a path or a list of paths.
        operation: `"read"` or `"write"`.
        scope: `"exact"` (default), or `"subtree"` for tools that reach everything below the path.

    Returns:
        A decorator for a tool, or for a function, which becomes a tool. Repeat it for a tool with
        several path arguments.

    Raises:
        ValueError: If the tool has no such argument, or `operation` or `scope` is unknown.

    Example:
        ```python
        @path_argument("source", "read")
        @path_argument("target", "write")
        @tool
        def copy(source: str, target: str) -> str: ...
        ```
    """
    declared = PathArgument(argument, operation, scope)

    def declare(target: BaseTool | Callable[..., Any]) -> BaseTool:
        found = target if isinstance(target, BaseTool) else make_tool(target)
        if argument not in found.args:
            raise ValueError(
                f"tool {found.name!r} has no argument {argument!r}; it has {', '.join(found.args) or 'none'}."
            )
        others = [one for one in path_arguments(found) if one.argument != argument]
        entries = [[one.argument, one.operation, one.scope] for one in [*others, declared]]
        return found.model_copy(update={"metadata": {**(found.metadata or {}), _METADATA: entries}})

    return declare


def path_arguments(tool: BaseTool) -> tuple[PathArgument, ...]:
    """Return what `path_argument` declared on a tool."""
    return tuple(PathArgument(*entry) for entry in (tool.metadata or {}).get(_METADATA, ()))


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
            self._judge_pattern(one, args[one.pattern])
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
        for flags in _READINGS:
            for rule in self.rules:
                hit = next((p for p in rule.paths if glob.globmatch(path, p, flags=flags)), None)
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

    def _judge_pattern(self, one: PathArgument, raw: object) -> Verdict:
        """A glob pattern that is absolute, or climbs, searches elsewhere than in the path given."""
        if raw is None:
            return Verdict()
        if not isinstance(raw, str):
            return self._unresolved(one.operation, raw, ValueError("not text"))
        pattern = raw.replace("\\", "/")
        pieces = re.split(r"[{},]", pattern)
        climbs = ".." in re.split(r"[/{},]", pattern) or any(p.startswith("~") for p in pieces)
        if climbs or any(p.startswith("/") for p in pieces[1:]):
            return self._unresolved(one.operation, raw, ValueError("the pattern leads out of the path"))
        if not pattern.startswith("/"):
            return Verdict()
        return _strictest(self._below(one.operation, _anchor(pattern), False))

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
    return max(verdicts, key=lambda verdict: _MODES.index(verdict.mode), default=Verdict())


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
    one, other = ([part.casefold() for part in p.split("/") if part] for p in (path, anchor))
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
