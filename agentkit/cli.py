"""The `agentkit` command: one table of subcommands, each loaded when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from agentkit import __version__

# Subcommand -> (module whose `main(argv)` returns the exit code, one line of help).
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("agentkit.demo", "run a legacy agent on create_agent: pause, kill, resume from SQLite"),
    "run": ("agentkit.run", "run a program with langgraph.prebuilt served by agentkit"),
    "migrate": ("agentkit.migrate.cli", "rewrite legacy code to create_agent, or to the shim"),
    "verify": ("agentkit.migrate.verify", "compare two agents on generated conversations"),
    "doctor": ("agentkit.doctor", "check the installed versions and scan for legacy use"),
    "threads": ("agentkit.threads.cli", "move stored threads to an agent with other nodes"),
    "approvals": ("agentkit.approvals", "review the paused threads of a checkpointer in the terminal"),
    "completion": ("agentkit._completion", "print a script that completes commands in bash, zsh or fish"),
}

# Subcommand -> the extra that brings what it imports.
EXTRAS = {"migrate": "migrate", "verify": "migrate"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand.

    Args:
        argv: The arguments after the program's name. Defaults to those of the process.

    Returns:
        The exit code: the subcommand's own, 1 where its extra is not installed or the
        installed versions do not work together, 2 where there is no such subcommand, or 130
        where the user interrupted it.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments else "--help"
    if name in {"-h", "--help", "help"}:
        print(_usage())
        return 0
    if name in {"-V", "--version"}:
        print(f"agentkit {__version__}")
        return 0
    if name not in COMMANDS:
        print(f"agentkit: there is no command {name!r}\n\n{_usage()}", file=sys.stderr)
        return 2
    try:
        return _run(name, arguments[1:])
    except KeyboardInterrupt:
        print(f"\nagentkit {name}: interrupted", file=sys.stderr)
        return 130


def _run(name: str, arguments: Sequence[str]) -> int:
    try:
        command = import_module(COMMANDS[name][0])
    except ImportError as error:
        print(f"agentkit {name}: {_reason(name, error)}", file=sys.stderr)
        return 1
    try:
        result: int = command.main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # what was to read the output has ended: no error of the command
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return result


def _reason(name: str, error: ImportError) -> str:
    """Say why a subcommand can't be imported; what is no fault of the installation is raised."""
    if error.name is None:  # the check of versions, which says a whole sentence
        return str(error)
    if error.name == "packaging":
        return "packaging is not installed; run: pip install -U langgraph-agentkit"
    if name not in EXTRAS or not isinstance(error, ModuleNotFoundError) or error.name.startswith("agentkit"):
        raise error
    return f"{error.name} is not installed; run: pip install 'langgraph-agentkit[{EXTRAS[name]}]'"


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: agentkit COMMAND [ARGUMENT ...]",
            "",
            *lines,
            "",
            "agentkit COMMAND --help says more, the exit codes among it.",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
