"""Code written for `langgraph.prebuilt`, running on `langchain.agents.create_agent`.

Importing this package alone imports no langchain; each name is loaded when it is first used.

Example:
    ```python
    from agentkit.prebuilt import create_react_agent  # was: from langgraph.prebuilt import ...
    ```
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentkit._lazy import lazy

_MODULES = ("agents", "hitl", "middleware", "permissions", "prebuilt", "testing", "threads", "tools")

if TYPE_CHECKING:
    from agentkit import agents as agents
    from agentkit import hitl as hitl
    from agentkit import middleware as middleware
    from agentkit import permissions as permissions
    from agentkit import prebuilt as prebuilt
    from agentkit import testing as testing
    from agentkit import threads as threads
    from agentkit import tools as tools
    from agentkit._deprecation import AgentkitDeprecationWarning
    from agentkit._install import install, uninstall
else:
    _load, _ = lazy(
        __name__,
        {
            "AgentkitDeprecationWarning": "agentkit._deprecation",
            "install": "agentkit._install",
            "uninstall": "agentkit._install",
        },
    )

    def __getattr__(name: str) -> Any:
        return import_module(f"agentkit.{name}") if name in _MODULES else _load(name)

    def __dir__() -> list[str]:
        return sorted([*__all__, *_MODULES])


__version__ = "0.1.0"
__all__ = ["AgentkitDeprecationWarning", "__version__", "install", "uninstall"]


def load_ipython_extension(ipython: Any) -> None:
    """Serve agentkit's names at the addresses of `langgraph.prebuilt` in a notebook.

    Args:
        ipython: The running shell, which `%load_ext agentkit` passes.

    Example:
        ```
        %load_ext agentkit
        from langgraph.prebuilt import create_react_agent  # agentkit's
        ```
    """
    import_module("agentkit._install").install()


def unload_ipython_extension(ipython: Any) -> None:
    """Undo `%load_ext agentkit`, on `%unload_ext agentkit`."""
    import_module("agentkit._install").uninstall()
