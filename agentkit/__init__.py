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

if TYPE_CHECKING:
    from agentkit._deprecation import AgentkitDeprecationWarning

__version__ = "0.1.0"
__all__ = ["AgentkitDeprecationWarning", "__version__"]

_LAZY = {"AgentkitDeprecationWarning": "agentkit._deprecation"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'agentkit' has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
