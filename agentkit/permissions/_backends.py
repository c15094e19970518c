"""The real path behind a path of a deepagents backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentkit import _upstream as up


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
