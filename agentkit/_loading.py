"""Loading an agent that a command line names."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from langgraph.pregel import Pregel


def load_agent(reference: str) -> Any:
    """Import an agent.

    Args:
        reference: `file.py:name` or `module:name`. A function without arguments is called.

    Returns:
        The compiled graph.

    Raises:
        ValueError: If there is no such file, module, name or agent.
    """
    where, _, name = reference.rpartition(":")
    if not where:
        raise ValueError(f"the agent is written file.py:name or module:name, not {reference!r}")
    module = _load_file(Path(where)) if where.endswith(".py") else _load_module(where)
    if not hasattr(module, name):
        raise ValueError(f"{where} has no attribute {name!r}")
    found = getattr(module, name)
    graph = found() if _takes_nothing(found) else found
    if not isinstance(graph, Pregel):
        raise ValueError(
            f"{reference} is of type {type(graph).__name__}, not an agent or "
            "a function without arguments that returns one"
        )
    return graph


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise ValueError(f"there is no file {path}")
    sys.path.insert(0, str(path.resolve().parent))
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from error


def _takes_nothing(found: Any) -> bool:
    if isinstance(found, Pregel):
        return False
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError):
        return False
    return True
