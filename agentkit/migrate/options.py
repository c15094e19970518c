"""What to rewrite in one file, and what is known of the files around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agentkit.migrate.source import Source


@dataclass(frozen=True)
class Options:
    """What to rewrite.

    Attributes:
        to: "create_agent", or "shim" to change the imports alone.
        skip: The codes of rules that are switched off; what they would rewrite stays on the shim.
        apply: The codes of rules whose offered rewrites, which change behaviour, are wanted.
        docs: Whether code in docstrings and Markdown fences is rewritten too.
        exported: Legacy names that other files import from this one, so that it must keep them.
        patched: Why the file's agents have to stay, where something outside it says so.
        files: The file of the run that a module name means in this one, if there is one.
        named: Names of this file that other files use; "*" where they may use any.
        package: Whether the text is a package's `__init__`, whose names are for others.
        loop: Why the file's agents depend on how the legacy loop ends, where another file says so.
        limit: What to note on the file's agents, where another file sets a recursion limit.
    """

    to: str = "create_agent"
    skip: frozenset[str] = frozenset()
    apply: frozenset[str] = frozenset()
    docs: bool = False
    exported: frozenset[str] = frozenset()
    patched: str = ""
    files: Callable[[str], Source | None] | None = None
    named: frozenset[str] = frozenset()
    package: bool = False
    loop: str = ""
    limit: str = ""
