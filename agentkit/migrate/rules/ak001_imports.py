"""AK001: imports of moved names."""

from __future__ import annotations

from agentkit._moves import BY_NAME, GONE, SHIM_ROOT
from agentkit.migrate.names import AGENTS, Binding, shim_module

STAR_REASON = "a star import hides which names are in use: import them by name"


def address(binding: Binding, moved: bool) -> tuple[str, str] | None:
    """The new module and name of an imported legacy name; None where the import has to stay.

    Args:
        binding: The import.
        moved: Whether the name may go to where langchain or agentkit have it today; else to the shim.
    """
    name = binding.name
    if name in AGENTS and name in GONE:
        return shim_module("create_react_agent", SHIM_ROOT), "create_react_agent"
    if name in GONE or (moved and stays(binding)):
        return None
    move = BY_NAME[name]
    if name in AGENTS or not moved or not move.instead or name == "ValidationNode":
        return shim_module(name, binding.module), name
    module, _, new = move.instead.rpartition(".")
    return module, new


def stays(binding: Binding) -> bool:
    """Whether upstream keeps a name where the file imports it from."""
    move = BY_NAME.get(binding.name)
    return move is not None and move.since is None and not is_shim(binding.module)


def is_shim(module: str) -> bool:
    """Whether a module is the shim's."""
    return module == SHIM_ROOT or module.startswith(f"{SHIM_ROOT}.")
