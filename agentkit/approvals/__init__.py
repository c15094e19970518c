"""`agentkit approvals`: review the paused threads of a checkpointer in the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: The arguments after the command's name.

    Returns:
        The exit code: 0, 1 where an answer was refused, 2 for wrong usage.

    Raises:
        ImportError: If rich is not installed.
    """
    try:
        from agentkit.approvals.cli import run
    except ImportError as error:
        if error.name is None or not error.name.startswith("rich"):
            raise
        raise ImportError("agentkit approvals needs rich: pip install 'langgraph-agentkit[approvals]'") from error
    return run(argv)
