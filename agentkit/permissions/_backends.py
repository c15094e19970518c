"""The built-in file tools of deepagents and langchain, and the real path behind a path of theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agentkit import _upstream as up


class FileTool(NamedTuple):
    """A built-in file tool.

    Attributes:
        name: The name deepagents or langchain gave it.
        resolve: Gives the real path of a path of its backend.
        rules: The permission rules it enforces itself.
    """

    name: str
    resolve: Callable[[str], str] | None
    rules: Sequence[Any]


def file_tool(tool: Any) -> FileTool | None:
    """Return what is known of a built-in file tool, or None for any other tool."""
    found = up.file_tool_owner(tool)
    if found is None:
        return None
    name, owner = found
    root = getattr(owner, "root_path", None)
    resolve = resolver_of(owner.backend) if root is None else lambda path: _below(root, path)
    return FileTool(name, resolve, getattr(owner, "_permissions", None) or ())


def _below(root: Path, path: str) -> str:
    return (root / path.lstrip("/")).resolve().relative_to(root).as_posix()


def resolver_of(backend: Any) -> Callable[[str], str] | None:
    """How the real path behind a path of a deepagents backend is found."""
    resolve = up.deepagents_real_path() or _real_path
    return None if backend is None else lambda path: str(resolve(backend, path))


def _real_path(backend: Any, path: str) -> str:
    """What deepagents does itself since it resolves links."""
    from deepagents.backends import CompositeBackend, FilesystemBackend

    if isinstance(backend, CompositeBackend):
        routed, key, prefix = up.route_for_path(backend, path)
        real = _real_path(routed, key)
        return real if prefix is None else prefix.rstrip("/") + real
    return up.path_on_disk(backend, path) if isinstance(backend, FilesystemBackend) else path
