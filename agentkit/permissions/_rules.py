"""What a rule is, and how a tool says which of its arguments is a path."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from langchain_core.tools import BaseTool
from langchain_core.tools import tool as make_tool
from wcmatch import glob

Operation = Literal["read", "write"]
Mode = Literal["allow", "deny", "interrupt"]
Scope = Literal["exact", "subtree"]

_T = TypeVar("_T")
_OPERATIONS: tuple[Operation, ...] = ("read", "write")
MODES: tuple[Mode, ...] = ("allow", "interrupt", "deny")
KINDS: tuple[Literal["free", "ask", "deny"], ...] = ("free", "ask", "deny")  # from the least to the most strict
_SCOPES: tuple[Scope, ...] = ("exact", "subtree")
FLAGS = glob.BRACE | glob.GLOBSTAR | glob.FORCEUNIX
_METADATA = "agentkit_path_arguments"
_WILDCARDS = frozenset("*?[")


@dataclass(frozen=True)
class PolicyResult:
    """What gates and rules say about one call.

    Attributes:
        kind: `"free"` (may run), `"ask"` (needs a person) or `"deny"` (a rule forbids it).
        allowed: The decisions a person may take.
        reason: Which operation, path and rule led to it, in words for the model and the reviewer.
    """

    kind: Literal["free", "ask", "deny"] = "free"
    allowed: tuple[str, ...] = ()
    reason: str = ""

    @property
    def mode(self) -> Mode:
        """The kind in the words of a rule: `"allow"`, `"interrupt"` or `"deny"`."""
        return MODES[KINDS.index(self.kind)]


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
        ValueError: If a value is unknown, empty, relative, or a path contains `.`, `..`, `~` or a backslash,
            or ends with a slash, which would match nothing.

    Example:
        ```python
        FilesystemPermission(["read", "write"], ["/secrets/**"], mode="interrupt")
        ```
    """

    operations: list[Operation]
    paths: list[str]
    mode: Mode = "allow"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"mode={self.mode!r} is not one of {', '.join(map(repr, MODES))}.")
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
    if {"..", "~"} & set(parts):
        raise ValueError(f"a permission path must not contain '..' or '~', got {pattern!r}.")
    if "." in parts:
        raise ValueError(f"a permission path with a part '.' matches nothing, got {pattern!r}: leave it out.")
    if pattern != "/" and pattern.endswith("/"):
        raise ValueError(
            f"a permission path with a slash at its end matches nothing, got {pattern!r}: write "
            f"{pattern.rstrip('/')!r} for the directory itself, {pattern.rstrip('/') + '/**'!r} for what is in it."
        )
    if "\\" in pattern or "\0" in pattern:
        raise ValueError(f"a permission path must be written with '/' alone, got {pattern!r}.")
    try:
        glob.globmatch("/", pattern, flags=FLAGS)
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

SEARCH_TOOLS: dict[str, tuple[PathArgument, ...]] = {
    "glob_search": (PathArgument("path", "read", "subtree", "pattern"),),
    "grep_search": (PathArgument("path", "read", "subtree"),),
}
"""The path arguments of the tools of langchain's `FilesystemFileSearchMiddleware`."""


def entry_for(name: str, entries: Mapping[str, _T]) -> _T | None:
    """Return the entry of a tool: its own, else that of the most specific pattern.

    Args:
        name: The tool's name.
        entries: Entries by name or pattern. Of two patterns with as many characters that are no wildcard, one whose
            entry is not None counts.

    Returns:
        The entry, or None where there is none.
    """
    if name in entries:
        return entries[name]
    found = [pattern for pattern in entries if _WILDCARDS & set(pattern) and fnmatch.fnmatchcase(name, pattern)]
    rank = {pattern: (sum(c not in _WILDCARDS for c in pattern), entries[pattern] is not None) for pattern in found}
    return entries[max(rank, key=rank.__getitem__)] if rank else None


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
