"""Count how upstream's agent and agentkit's differ: `python -m tests.parity [CASES] [SEED]`."""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.parity.cases import Case, cases
from tests.parity.parts import AGENTKIT, UPSTREAM
from tests.parity.record import differences, record


def main(count: int, start: int) -> None:
    kinds: Counter[str] = Counter()
    shown: dict[str, tuple[Case, Any, Any]] = {}
    bad = 0
    run = 0

    @seed(start)
    @settings(
        max_examples=count,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases())
    def look(case: Case) -> None:
        nonlocal bad, run
        run += 1
        found = list(differences(record(case, UPSTREAM), record(case, AGENTKIT)))
        bad += bool(found)
        facets: dict[str, Any] = {}
        for where, one, other in found:
            facets.setdefault(where[0], (where, one, other))
        for where, one, other in facets.values():
            kind = re.sub(r"\b\d+\b", "*", " / ".join(where))
            kinds[kind] += 1
            if kind not in shown or len(repr(case)) < len(repr(shown[kind][0])):
                shown[kind] = (case, one, other)

    logging.disable()
    look()
    for kind, times in kinds.most_common(60):
        case, one, other = shown[kind]
        print(f"\n{times:5}  {kind}\n   {case!r}\n   upstream: {str(one)[:400]}\n   agentkit: {str(other)[:400]}")
    print(f"\n{run} cases, {bad} with differences, {len(kinds)} kinds")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    main(*[*numbers, 200, 0][:1], *[*numbers, 0][1:2] if len(numbers) > 1 else [0])
