"""`agentkit approvals`: review in the terminal what waits for a person."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from agentkit import _checked as _checked


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code as `--help` explains it."""
    try:
        from agentkit.approvals.cli import run
    except ImportError as error:
        if error.name is None or not error.name.startswith("rich"):
            raise
        install = "pip install 'langgraph-agentkit[approvals]'"
        print(f"agentkit approvals: rich is not installed; run: {install}", file=sys.stderr)
        return 1
    return run(argv)
