"""Print a version's part of the changelog; fail where tag, package and changelog do not agree."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from agentkit import __version__

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def notes(version: str, changelog: str) -> str:
    """The part of the changelog that a version has.

    Raises:
        SystemExit: There is none.
    """
    found = re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if not found:
        raise SystemExit(f'CHANGELOG.md has no part "## [{version}] - YYYY-MM-DD"')
    return found[1].strip()


if __name__ == "__main__":
    if sys.argv[1] != __version__:
        raise SystemExit(f"the tag says {sys.argv[1]}, agentkit/__init__.py says {__version__}")
    print(notes(sys.argv[1], CHANGELOG.read_text()))
