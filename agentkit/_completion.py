"""`agentkit completion`: a script for the shell that completes subcommands, and file names after them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from agentkit.cli import COMMANDS

_SCRIPTS = {
    "bash": """_agentkit() {{
    if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{names}" -- "${{COMP_WORDS[1]}}")); fi
}}
complete -o default -F _agentkit agentkit""",
    "zsh": """#compdef agentkit
_agentkit() {{
    if (( CURRENT == 2 )); then compadd -- {names}; else _files; fi
}}
compdef _agentkit agentkit""",
    "fish": """complete -c agentkit -n __fish_use_subcommand -f -a "{names}\"""",
}


def main(argv: Sequence[str]) -> int:
    """Print the script.

    Args:
        argv: The arguments after `agentkit completion`: the name of the shell.

    Returns:
        0.
    """
    parser = argparse.ArgumentParser(
        "agentkit completion",
        description='Print a script for the shell: eval "$(agentkit completion bash)" in ~/.bashrc.',
        epilog="exit: 0 done, 2 a wrong command line",
    )
    parser.add_argument("shell", choices=_SCRIPTS)
    print(_SCRIPTS[parser.parse_args(argv).shell].format(names=" ".join(COMMANDS)))
    return 0
