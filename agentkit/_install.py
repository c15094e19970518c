"""Serve agentkit's names at the addresses of `langgraph.prebuilt`, for code that can't be edited."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import RLock
from types import ModuleType
from typing import Any

from agentkit._compat import check
from agentkit._deprecation import called_by_import_system
from agentkit._moves import LEGACY_ROOT, MOVES, SHIM_ROOT

__all__ = ["install", "uninstall"]

_lock = RLock()
# Address -> what `sys.modules` held before, None where upstream has no such module.
_replaced: dict[str, ModuleType | None] = {}


def install() -> None:
    """Make `langgraph.prebuilt` serve agentkit's versions of the names that upstream has deprecated.

    Replaced, in `langgraph.prebuilt` and its submodules: `create_react_agent`,
    `create_tool_calling_executor`, the four `AgentState*` classes, `ValidationNode`, `HumanInterrupt`,
    `HumanInterruptConfig`, `ActionRequest` and `HumanResponse`. Every other name (`ToolNode`,
    `tools_condition`, `InjectedState`, ...) stays upstream's. A name or module that upstream has deleted
    is served by agentkit, whichever it is.

    The modules are replaced, not changed: what was imported before the call keeps what it had, and works
    as before. `install()` warns about modules that hold such names, or a replaced module under a name of
    their own, since it came too late for them. It
    does nothing when it is already in force, may be called from any thread, and is undone by
    `uninstall()`. Processes that this one starts anew (`subprocess`, the `spawn` and `forkserver` methods of
    `multiprocessing`) are not covered, forked ones are; `agentkit run` covers all of them.

    Raises:
        ImportError: The installed versions are known not to work together.

    Warns:
        UserWarning: Modules imported legacy names, or their modules, before the call; the message lists them.

    Example:
        ```python
        import agentkit

        agentkit.install()
        from langgraph.prebuilt import create_react_agent  # agentkit's
        ```
    """
    check()
    with _lock:
        if _replaced:
            return
        originals = {address: _upstream(address) for address in _addresses()}
        old = _deprecated_objects(originals)
        for address, original in originals.items():
            names = _names_to_serve(address, original)
            if names:
                _replaced[address] = original
                _place(address, _served(address, names, original))
        late = _holders(old)
    if late:
        warnings.warn(
            "agentkit.install() was called after these modules had imported what it replaces, which they keep: "
            f"{', '.join(late)}. Call it before they are imported.",
            UserWarning,
            stacklevel=2,
        )


def uninstall() -> None:
    """Undo `install()`: imports from now on get upstream's own modules again.

    What was imported in between keeps agentkit's names. Does nothing when `install()` is not in force.

    Example:
        ```python
        agentkit.install()
        agentkit.uninstall()
        from langgraph.prebuilt import create_react_agent  # upstream's
        ```
    """
    with _lock:
        for address, original in _replaced.items():
            _place(address, original)
        _replaced.clear()


def _addresses() -> list[str]:
    """The legacy package and its submodules, the package first."""
    return [LEGACY_ROOT, *dict.fromkeys(f"{LEGACY_ROOT}.{move.module}" for move in MOVES)]


def _upstream(address: str) -> ModuleType | None:
    """Import a module of upstream; None where there is no such module.

    `find_spec` asks without importing, so a module that exists and is broken still raises.
    """
    return import_module(address) if find_spec(address) else None


def _names_to_serve(address: str, original: ModuleType | None) -> set[str]:
    present = vars(original) if original else {}
    # Upstream's private modules came late: where they are missing, they were not there yet.
    return {
        move.name
        for move in MOVES
        if f"{address}.{move.name}" in move.old_addresses
        and (move.since or (move.name not in present and not move.module.startswith("_")))
    }


def _served(address: str, names: set[str], original: ModuleType | None) -> ModuleType:
    """Make the module that stands in: upstream's names, but for those that agentkit serves."""
    module = ModuleType(address, original.__doc__ if original else None)
    own: dict[str, Any] = (
        vars(original) if original else {"__spec__": ModuleSpec(address, None), "__package__": LEGACY_ROOT}
    )
    vars(module).update((key, value) for key, value in own.items() if key not in names)
    listed = own.get("__all__", [name for name in own if not name.startswith("_")])
    home = address.replace(LEGACY_ROOT, SHIM_ROOT, 1)
    vars(module).update(
        __all__=sorted({*listed, *(name for name in names if not name.startswith("_"))}),
        __getattr__=_getter(address, home, names, own.get("__getattr__")),
        __dir__=lambda: sorted({*vars(module), *names}),
    )
    return module


def _getter(address: str, home: str, names: set[str], upstream: Callable[[str], Any] | None) -> Callable[[str], Any]:
    def getattribute(name: str) -> Any:
        if name in names:
            # The import system's probe must not count as a use: agentkit's module warns on each use.
            if called_by_import_system():
                return None
            return getattr(import_module(home), name)
        if upstream is not None:
            return upstream(name)
        raise AttributeError(f"module {address!r} has no attribute {name!r}")

    return getattribute


def _place(address: str, module: ModuleType | None) -> None:
    """Put a module into `sys.modules` and into its parent, or take it out of both."""
    parent, _, child = address.rpartition(".")
    package = sys.modules.get(parent)
    if module is not None:
        sys.modules[address] = module
        if package is not None:
            setattr(package, child, module)
        return
    sys.modules.pop(address, None)
    if package is not None:
        vars(package).pop(child, None)


def _deprecated_objects(originals: Mapping[str, ModuleType | None]) -> dict[int, str]:
    """What is replaced, by identity: upstream's modules, and its deprecated objects under their first name."""
    found = {id(module): address for address, module in originals.items() if module is not None}
    for name in (move.name for move in MOVES if move.since):
        for module in originals.values():
            if name in vars(module or object):
                found.setdefault(id(vars(module)[name]), name)
    return found


def _holders(old: dict[int, str]) -> list[str]:
    """The loaded modules, other than upstream's own, that hold one of these objects."""
    found: dict[int, str] = {}
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] in {"langgraph", "agentkit"} or not isinstance(module, ModuleType):
            continue
        held = sorted({old[id(value)] for value in list(vars(module).values()) if id(value) in old})
        if held:
            found.setdefault(id(module), f"{name} ({', '.join(held)})")
    return list(found.values())
