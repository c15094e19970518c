"""`agentkit run`: run a program that imports `langgraph.prebuilt`, unchanged, on agentkit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from agentkit._compat import check

USAGE = """usage: agentkit run SCRIPT [ARGUMENT ...]
       agentkit run -m MODULE [ARGUMENT ...]
       agentkit run --pytest [ARGUMENT ...]

Runs `python SCRIPT ...`, `python -m MODULE ...` or `python -m pytest ...` with agentkit.install() called first:
code that imports langgraph.prebuilt gets agentkit's versions of what upstream has deprecated or deleted.
Python processes of the same environment that the program starts are served too, unless they are given another
PYTHONPATH.

exit: that of the program; 2 a wrong command line, 1 versions that do not work together"""

_STARTUP = Path(__file__).parent / "_startup"


def main(argv: Sequence[str]) -> int:
    """Run a script, a module or pytest with `langgraph.prebuilt` served by agentkit.

    The program gets a Python of its own, which replaces this process: what it sees of itself, its signals
    and its exit code are those of `python`.

    Args:
        argv: The arguments after `agentkit run`.

    Returns:
        The exit code of the program, 2 where the command line is wrong, 1 where the installed versions are
        known not to work together or PYTHONPATH can't hold agentkit's folder.
    """
    arguments = list(argv)
    if not arguments or arguments[0] in {"-h", "--help"}:
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    late = arguments[0] == "--pytest"
    if late:
        arguments[:1] = ["-m", "pytest", "-p", "agentkit.testing.plugin", "--agentkit-install"]
    # Python's own options could switch PYTHONPATH off, and with it agentkit.
    if arguments[0].startswith("-") and arguments[0] != "-" and arguments[0][1] not in "mc":
        reason = f"there is no option {arguments[0]!r}; options of the program go after its name"
        print(f"agentkit run: {reason}\n\n{USAGE}", file=sys.stderr)
        return 2
    if os.pathsep in str(_STARTUP):
        reason = f"PYTHONPATH can't hold {str(_STARTUP)!r}, which has {os.pathsep!r} in it"
        print(f"agentkit run: {reason}; call agentkit.install() in the program instead", file=sys.stderr)
        return 1
    try:
        check()
    except ImportError as error:
        print(f"agentkit run: {error}", file=sys.stderr)
        return 1
    path = os.pathsep.join(filter(None, [str(_STARTUP), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": path, "AGENTKIT_RUN": os.path.realpath(sys.prefix)}
    if late:
        environment["AGENTKIT_RUN_LATE"] = "1"  # pytest warns about plugins (anyio) that are imported before it looks
    if os.name != "nt":
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)  # on Windows, exec does not wait for the program
