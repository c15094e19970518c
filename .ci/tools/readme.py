"""Write the README's tables from the data they show; `--check` only says whether they are up to date."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from agentkit._moves import ARGUMENTS, MOVES, Move

README = Path(__file__).parents[2] / "README.md"


def moves_table() -> str:
    """The table of moved names."""
    rows = ["| was | is | use instead | deprecated since |", "|---|---|---|---|"]
    rows += [_row(move) for move in MOVES if not move.name.startswith("_")]
    return "\n".join(rows)


def _row(move: Move) -> str:
    instead = f"`{move.instead}`" if move.instead else "(kept)"
    return f"| `{move.old}` | `{move.new}` | {instead} | {move.since or '(kept upstream)'} |"


def arguments_table() -> str:
    """The table of arguments."""
    rows = ["| argument | on `create_agent` |", "|---|---|"]
    return "\n".join([*rows, *(f"| `{use}` | {text} |" for use, text in ARGUMENTS.items())])


def versions_table() -> str:
    """The table that `make matrix` wrote."""
    return (README.parent / "docs/versions.md").read_text().partition("\n")[2].strip()


TABLES = {"moves": moves_table, "arguments": arguments_table, "versions": versions_table}


def filled(text: str) -> str:
    """The README with every table between its marks made anew."""
    for name, table in TABLES.items():
        pattern = rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)"
        text = re.sub(pattern, _between(table()), text, flags=re.DOTALL)
    return text


def _between(made: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{match[1]}{made}\n{match[2]}"


def main() -> int:
    """Fill or check the README."""
    text = README.read_text()
    new = filled(text)
    if "--check" in sys.argv:
        return int(new != text)
    README.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
