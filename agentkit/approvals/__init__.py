"""`agentkit approvals`: review the paused threads of a checkpointer in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agentkit import _checked as _checked


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: The arguments after the command's name.

    Returns:
        The exit code: 0, 1 where an answer was refused or rich is not installed, 2 for wrong usage.
    """
    try:
        from agentkit.approvals.cli import run
    except ImportError as error:
        if error.name is None or not error.name.startswith("rich"):
            raise
        print(
            "agentkit approvals: rich is not installed; run: pip install 'langgraph-agentkit[approvals]'",
            file=sys.stderr,
        )
        return 1
    return run(argv)
