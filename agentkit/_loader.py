"""Load what a command line names: `app.py:agent` or `package.module:agent`."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import Any

from langgraph.pregel import Pregel


class LoadError(ValueError):
    """The command line names something that isn't there; the text says what."""


def load(reference: str) -> Any:
    """Load an object.

    Args:
        reference: `path/to/file.py:name` or `package.module:name`. The file's folder, or the current one, is put on
            `sys.path`, as `python` does it.

    Returns:
        What has that name.

    Raises:
        LoadError: There is no such file, module or name, or importing it fails.
    """
    place, _, name = reference.rpartition(":")
    if not place or not name:
        raise LoadError(f"{reference!r} is neither file.py:name nor module:name")
    try:
        module = _file(Path(place)) if place.endswith(".py") else _module(place)
    except LoadError:
        raise
    except Exception as error:  # what a user's module raises is anything
        raise LoadError(f"{place} can't be imported: {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        raise LoadError(f"{place} has no {name!r}")
    return getattr(module, name)


def load_agent(reference: str) -> Any:
    """Load an agent.

    Args:
        reference: `file.py:name` or `module:name`. A function without arguments is called.

    Returns:
        The compiled graph.

    Raises:
        LoadError: There is no such file, module, name or agent.
    """
    found = load(reference)
    graph = found() if _takes_nothing(found) else found
    if not isinstance(graph, Pregel):
        raise LoadError(
            f"{reference} is of type {type(graph).__name__}, not an agent or "
            "a function without arguments that returns one"
        )
    return graph


def _takes_nothing(found: Any) -> bool:
    if isinstance(found, Pregel):
        return False
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError):
        return False
    return True


def _file(path: Path) -> Any:
    path = path.resolve()
    if not path.is_file():
        raise LoadError(f"there is no file {path}")
    loaded = sys.modules.get(path.stem)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path):
        return loaded
    # A file named like a module that is in use, or the second app.py of two, must not take its place.
    name = path.stem if loaded is None else f"{path.stem}_{abs(hash(path)):x}"
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # it ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _module(name: str) -> Any:
    sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise LoadError(f"there is no module {error.name}") from error
