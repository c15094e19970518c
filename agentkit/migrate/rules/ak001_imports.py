"""AK001: imports of moved names."""

from __future__ import annotations

from agentkit._moves import BY_NAME, GONE, SHIM_ROOT
from agentkit.migrate.names import AGENTS, Binding, shim_module
from agentkit.migrate.rules._rule import Rule

RULE = Rule(
    code="AK001",
    title="imports of moved names",
    text=(
        "Every import of `langgraph.prebuilt` and its submodules, under any alias, at the top, in a function, "
        "in `try` or under `if TYPE_CHECKING`, gets its new address: langchain's own where it has the name "
        "(`langchain.tools.InjectedState`), agentkit's where langchain has none (`agentkit.tools.ToolNode`), "
        "the shim `agentkit.prebuilt` for what is left on it. Names keep their aliases, so nothing else in "
        "the file changes. A star import is refused: it hides which names are in use. With `--to shim` this "
        "is the only rule, and every address is the shim's."
    ),
    before="from langgraph.prebuilt import InjectedState, ToolNode\n",
    after="from agentkit.tools import ToolNode\nfrom langchain.tools import InjectedState\n",
)
STAR_REASON = "a star import hides which names are in use: import them by name"


def address(binding: Binding, moved: bool) -> tuple[str, str] | None:
    """The new module and name of an imported legacy name; None where the import has to stay.

    Args:
        binding: The import.
        moved: Whether the name may go to where langchain or agentkit have it today; else to the shim.
    """
    name = binding.name
    if name in GONE:
        return None
    move = BY_NAME[name]
    if name in AGENTS or not moved or not move.instead or name == "ValidationNode":
        return shim_module(name, binding.module), name
    module, _, new = move.instead.rpartition(".")
    return module, new


def is_shim(module: str) -> bool:
    """Whether a module is the shim's."""
    return module == SHIM_ROOT or module.startswith(f"{SHIM_ROOT}.")
