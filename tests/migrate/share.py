"""How many calls of `create_react_agent` in the corpus are moved, and why the others stay.

Run: `python -m tests.migrate.share` (`-v` names the programs).
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from tests.migrate.running import calls_of, migrated, programs


def main() -> None:
    """Print the share and the reasons."""
    calls, moved = Counter[str](), Counter[str]()
    reasons: dict[str, list[str]] = defaultdict(list)
    for program in programs():
        kind = "notebooks" if program.path.suffix == ".ipynb" else "programs"
        with tempfile.TemporaryDirectory() as directory:
            result = migrated(program, Path(directory))
            here = calls_of(result.before)
        calls[kind] += here
        moved[kind] += min(here, sum(change["code"] == "AK002" for change in result.changes))
        for left in result.left:
            reasons[f"{left['code']} {left['reason']}"].append(program.name)
    for kind, number in calls.items():
        print(f"{kind}: {moved[kind]} of {number} calls moved ({moved[kind] / number:.0%})")
    print(f"all: {moved.total()} of {calls.total()} calls moved ({moved.total() / calls.total():.0%})")
    for reason, where in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(where):4}  {reason}")
        if "-v" in sys.argv:
            print("      " + "\n      ".join(where))


if __name__ == "__main__":
    main()
