"""Generated agents are the same with upstream's `create_react_agent` and agentkit's, in all a caller can see.

`AGENTKIT_PARITY_EXAMPLES=5000 pytest tests/parity` is the long form; `python -m tests.parity 5000` shows each kind
of difference once, in its plainest form.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest

from tests.legacy import needs_upstream
from tests.parity.cases import Case
from tests.parity.record import compare

pytestmark = needs_upstream
EXAMPLES = int(os.environ.get("AGENTKIT_PARITY_EXAMPLES", "24"))


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """langgraph logs what a saver will refuse one day, and this is no test of it."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("number", range(EXAMPLES))
def test_generated_agents_are_equal(number: int) -> None:
    case = Case.draw(number)
    found = compare(case)
    assert not found, f"{case!r}\ndiffers at {' / '.join(found[0][0])}\n{found[0][1]}\n{found[0][2]}"
