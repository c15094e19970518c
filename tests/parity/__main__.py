"""Count how upstream's agent and agentkit's differ: `python -m tests.parity [CASES] [FIRST]`."""

from __future__ import annotations

import argparse
import logging
from collections import Counter
from typing import Any

from tests.parity.cases import Case
from tests.parity.record import compare, kind, reduced


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=200)
    parser.add_argument("first", type=int, nargs="?", default=0)
    options = parser.parse_args()
    logging.disable()
    kinds: Counter[str] = Counter()
    examples: dict[str, tuple[int, Any]] = {}
    differing = 0
    for number in range(options.first, options.first + options.cases):
        facets: dict[str, Any] = {}
        for difference in compare(Case.draw(number)):
            facets.setdefault(difference[0][0], difference)
        differing += bool(facets)
        for where, one, other in facets.values():
            kinds[kind(where)] += 1
            examples.setdefault(kind(where), (number, (where, one, other)))
    for name, times in kinds.most_common():
        number, (where, one, other) = examples[name]
        case = reduced(Case.draw(number), where)
        print(f"\n{times:5}  {name}\n   {number}: {case!r}\n   upstream: {one!s:.400}\n   agentkit: {other!s:.400}")
    print(f"\n{options.cases} cases, {differing} with differences, of {len(kinds)} kinds")
    return bool(differing)


if __name__ == "__main__":
    raise SystemExit(main())
