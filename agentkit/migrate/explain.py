"""The words of the rules: `rules.md`, read for `--explain`, reports and the documentation alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

_SECTION = re.compile(r"^## (AK\d+) (.+)\n", re.MULTILINE)
_CODE = re.compile(r"^(`{3,})\w+\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """A rule of the codemod.

    Attributes:
        code: Its stable code.
        title: What it rewrites, in a few words.
        text: Its section of `rules.md`.
        before: Code before.
        after: The same code after.
        offered: Whether `--apply` does more, where that changes behaviour.
    """

    code: str
    title: str
    text: str
    before: str
    after: str
    offered: bool


def _read() -> dict[str, Rule]:
    parts = _SECTION.split(files("agentkit.migrate").joinpath("rules.md").read_text(encoding="utf-8"))[1:]
    found = {}
    for code, title, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        before, after = (match[1] for match in _CODE.findall(text)[:2])
        found[code] = Rule(code, title, text.strip(), before, after, f"--apply {code}" in text)
    return found


RULES = _read()
