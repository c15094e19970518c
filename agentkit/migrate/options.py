"""What to rewrite in one file, and what is known of the files around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
        texts: Names that this file imports from others of the run, and that are text there.
        kinds: Names that this file imports, and what they are where they come from: "bound" for a model
            that something was bound to, "function", "ToolNode" or "pair".
        named: Names of this file that other files use; "*" where they may use any.
        package: Whether the text is a package's `__init__`, whose names are for others.
        loop: Why the file's agents depend on how the legacy loop ends, where another file says so.
    """

    to: str = "create_agent"
    skip: frozenset[str] = frozenset()
    apply: frozenset[str] = frozenset()
    docs: bool = False
    exported: frozenset[str] = frozenset()
    patched: str = ""
    texts: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    package: bool = False
    loop: str = ""
