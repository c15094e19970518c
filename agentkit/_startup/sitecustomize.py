"""Python runs this before the program when `agentkit run` starts it: agentkit's names are served from the start.

The folder is on PYTHONPATH, so that Python processes which the program starts are served too: those of the same
environment, which `agentkit run` names in AGENTKIT_RUN. Another's may have an agentkit that can't be used.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec


def _serve() -> None:
    try:
        from agentkit import install

        install()
    except Exception as error:  # noqa: BLE001 - Python would print it and run the program on upstream's names
        print(f"agentkit run: {error}\n`agentkit doctor` may know why.", file=sys.stderr, flush=True)
        os._exit(1)


def _run_shadowed() -> None:
    """Run the sitecustomize of the environment, which this one hides."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


# The first process of `agentkit run --pytest` has a plugin that does it, later; those that it starts have none.
_late = os.environ.pop("AGENTKIT_RUN_LATE", None)
if not _late and os.environ.get("AGENTKIT_RUN") == os.path.realpath(sys.prefix):
    _serve()
_run_shadowed()
