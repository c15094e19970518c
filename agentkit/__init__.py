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

if TYPE_CHECKING:
    from agentkit._deprecation import AgentkitDeprecationWarning
    from agentkit._install import install, uninstall
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "AgentkitDeprecationWarning": "agentkit._deprecation",
            "install": "agentkit._install",
            "uninstall": "agentkit._install",
        },
    )

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
