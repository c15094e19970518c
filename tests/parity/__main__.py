"""Count how upstream's agent and agentkit's differ: `python -m tests.parity [CASES] [FIRST]`."""

from __future__ import annotations

import argparse
import logging
from collections import Counter

from tests.parity.cases import Case
from tests.parity.record import compare, kind, reduced


def main() -> int:
    """Compare the cases, show the first of each kind of difference at once and in its plainest form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=200)
    parser.add_argument("first", type=int, nargs="?", default=0)
    options = parser.parse_args()
    logging.disable()
    kinds: Counter[str] = Counter()
    differing = 0
    for number in range(options.first, options.first + options.cases):
        if number % 50 == 0:
            print(f"case {number}", flush=True)
        facets = {found[0][0]: found for found in reversed(compare(Case.draw(number)))}
        differing += bool(facets)
        for where, one, other in facets.values():
            kinds[kind(where)] += 1
            if kinds[kind(where)] == 1:
                case = reduced(Case.draw(number), where)
                said = f"   upstream: {one!s:.400}\n   agentkit: {other!s:.400}"
                print(f"\n{' / '.join(where)}\n   case {number}, in short {case!r}\n{said}", flush=True)
    for name, times in kinds.most_common():
        print(f"{times:5}  {name}")
    print(f"\n{options.cases} cases, {differing} with differences, of {len(kinds)} kinds")
    return bool(differing)


if __name__ == "__main__":
    raise SystemExit(main())
