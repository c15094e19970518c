"""What every rule says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule of the codemod.

    Attributes:
        code: Its stable code.
        title: What it rewrites, in a few words.
        text: One paragraph: what becomes of it, when, and what stays on the shim.
        before: Code before.
        after: The same code after.
        offered: What `--apply` does with it, where the rewrite changes behaviour; else "".
    """

    code: str
    title: str
    text: str
    before: str
    after: str
    offered: str = ""
