"""Check with `pyright --verifytypes` that every symbol of the public API has a known type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
# The commands are run, not imported.
COMMANDS = ("agentkit.migrate.", "agentkit.approvals.", "agentkit.doctor.", "agentkit.demo.", "agentkit.threads.cli")
# Symbols whose type upstream leaves unknown or ambiguous.
UPSTREAM = (".ToolNode", ".ExplainingToolNode", ".HumanInTheLoopMiddleware", ".HumanInTheLoopMiddleware.state_schema")


def main() -> int:
    """Run pyright, print what is not fully typed, and say how much is."""
    command = [BIN / "pyright", "--verifytypes", "agentkit", "--ignoreexternal", "--outputjson"]
    # pyright finds the environment by the PATH.
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    public = [s for s in symbols if s["isExported"] and not s["name"].startswith(COMMANDS)]
    wrong = [s for s in public if not s["isTypeKnown"] or s["isTypeAmbiguous"]]
    wrong = [s for s in wrong if not s["name"].endswith(UPSTREAM)]
    for symbol in wrong:
        print(symbol["name"], *(d["message"] for d in symbol["diagnostics"]), sep="\n  ")
    print(f"types: {len(public)} public symbols, {len(wrong)} without a known type")
    return int(bool(wrong) or not public)


if __name__ == "__main__":
    sys.exit(main())
