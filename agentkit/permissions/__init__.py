"""Rules that say which paths an agent's tools may read or write, and which need a person.

The rules have the shape of deepagents' and are matched with the same glob library, but they are
checked when they are written down, and where a path is ambiguous the strictest reading counts.

Example:
    ```python
    from agentkit.agents import create_agent
    from agentkit.permissions import FilesystemPermission, path_argument


    @path_argument("target", "write")
    @tool
    def save_report(target: str, text: str) -> str:
        "Save a report."
        ...


    agent = create_agent(
        model,
        [save_report],
        permissions=[FilesystemPermission(["write"], ["/secrets/**"], mode="interrupt")],
        checkpointer=saver,
    )
    ```
"""

from agentkit import _checked as _checked
from agentkit.permissions._judge import FileRules, as_rules, normal_path
from agentkit.permissions._rules import (
    FILE_TOOLS,
    FilesystemPermission,
    PathArgument,
    PolicyResult,
    path_argument,
    path_arguments,
)

__all__ = [
    "FILE_TOOLS",
    "FileRules",
    "FilesystemPermission",
    "PathArgument",
    "PolicyResult",
    "as_rules",
    "normal_path",
    "path_argument",
    "path_arguments",
]
