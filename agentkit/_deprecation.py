"""The one warning category of agentkit, and the one place that raises it."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from agentkit._moves import BY_NAME, LEGACY_ROOT, REMOVAL, SHIM_ROOT

if TYPE_CHECKING:
    _UpstreamWarning = DeprecationWarning
else:
    try:
        from langgraph.warnings import LangGraphDeprecatedSinceV10 as _UpstreamWarning
    except ImportError:
        _UpstreamWarning = DeprecationWarning

# Frames of these packages are machinery between the user's line and ours.
_MACHINERY = frozenset({"agentkit", "abc", "functools", "importlib", "pydantic", "typing", "typing_extensions"})


class AgentkitDeprecationWarning(_UpstreamWarning):
    """Code uses a name or argument of the legacy agent API.

    Where langgraph has a category for that, this is one of it, so that filters on upstream's hold.

    Args:
        message: The text shown, which names the replacement.
        since: The upstream version that deprecated it.
        removal: The upstream version that removes it.
        instead: What to use, as a dotted name or an argument.
    """

    def __init__(self, message: str, *, since: str, removal: str, instead: str) -> None:
        super().__init__(message)
        self.message = message
        self.since: Any = since
        self.removal = removal
        self.instead = instead

    def __str__(self) -> str:
        return self.message


def warn_deprecated(what: str, *, since: str, removal: str, instead: str) -> None:
    """Warn at the user's line that `what` has a replacement.

    Args:
        what: The name or argument in use, as the user wrote it.
        since: The upstream version that deprecated it.
        removal: The upstream version that removes it.
        instead: The exact replacement.
    """
    message = (
        f"Upstream deprecated {what.replace(SHIM_ROOT, LEGACY_ROOT)} in {since} and removes it in {removal}; agentkit "
        f"keeps it. Use {instead}. `agentkit migrate` rewrites what has an exact equal."
    )
    warnings.warn(
        AgentkitDeprecationWarning(message, since=since, removal=removal, instead=instead),
        stacklevel=user_stacklevel(),
    )


def warn_move(name: str) -> None:
    """Warn at the user's line that a legacy name has a replacement, as the table of moves says it."""
    move = BY_NAME[name]
    warn_deprecated(move.new, since=str(move.since), removal=REMOVAL, instead=move.advice)


def user_stacklevel() -> int:
    """Count the frames from `warn_deprecated` up to the first that is the user's."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package not in _MACHINERY:
            break
        level, frame = level + 1, frame.f_back
    return level


def called_by_import_system() -> bool:
    """Tell whether a module `__getattr__` runs for the import system's own probe.

    `from package import name` looks the name up twice: once in `_handle_fromlist`, once for the
    user. Warning on the first would warn twice.
    """
    return str(sys._getframe(2).f_globals.get("__name__", "")).startswith("importlib.")
