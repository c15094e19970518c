"""What changed in upstream's behaviour, version by version, as data."""

from __future__ import annotations

from dataclasses import dataclass

from agentkit._compat import _release


@dataclass(frozen=True)
class Change:
    """One change of behaviour that a working program notices.

    Attributes:
        package: The distribution it came with.
        version: The first version that has it.
        text: What is different, and what to do about it.
    """

    package: str
    version: str
    text: str


CHANGES: tuple[Change, ...] = (
    Change("langgraph", "0.2.0", "`create_agent_executor` is gone; `create_react_agent` takes the same tools."),
    Change(
        "langgraph",
        "0.2.44",
        "A history with unanswered tool calls raises ValueError before the model is called.",
    ),
    Change(
        "langgraph",
        "0.2.68",
        "`prompt=` replaces `messages_modifier=` and `state_modifier=`; agentkit still takes all three, with a "
        "warning.",
    ),
    Change("langgraph", "0.3.0", "`ToolExecutor` and `ToolInvocation` are gone; use `ToolNode`."),
    Change(
        "langgraph-prebuilt",
        "0.2.0",
        'The default of `create_react_agent(version=)` is "v2": each tool call is a task of its own. Pass '
        'version="v1" for one task per message.',
    ),
    Change(
        "langgraph-prebuilt",
        "0.6.0",
        "`config_schema=` is deprecated for `context_schema=`; both still work.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "An exception in a tool is raised; before, it became an error message for the model. Pass "
        "`handle_tool_errors=True` to agentkit's `create_react_agent` or `create_agent`, or to `ToolNode`, for "
        "the old behaviour. Bad arguments still become a message.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "`handle_tool_errors=(ValueError,)` no longer covers bad arguments: they are `ToolInvocationError`, "
        "which is a ToolException. Name that class too.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "`ToolNode(...).invoke(...)` outside a graph raises `Missing required config key`; agentkit's ToolNode "
        "still works there.",
    ),
    Change(
        "langgraph",
        "1.0.6",
        "The default recursion limit is 10,000 steps instead of 25: an agent that never stops runs for long. "
        'Set `recursion_limit` in the config, e.g. {"recursion_limit": 25}.',
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.0",
        "`create_react_agent`, `ValidationNode`, `AgentState*` and `HumanInterrupt` are deprecated; "
        "`agentkit migrate` rewrites them.",
    ),
    Change(
        "langchain",
        "1.2.17",
        "`HumanInTheLoopMiddleware`: `True` allows `respond` beside approve, edit and reject.",
    ),
    Change("langchain", "1.3.3", "`when` in an interrupt config is honoured; before, it was ignored."),
    Change(
        "langchain",
        "1.3.15",
        "An interrupt config without `allowed_decisions` is refused; before, the gate was silently off. "
        "agentkit refuses it on every version.",
    ),
    Change(
        "langchain",
        "1.3.17",
        "The model is told about a rejection in a sentence around the reviewer's words; before, it got the bare words.",
    ),
    Change(
        "langchain",
        "1.4.2",
        "An edited tool call stays as the model wrote it in its message, and the tool's answer starts with a "
        "notice; before, the message was rewritten.",
    ),
)

# langgraph with the langgraph-prebuilt that came out with it.
_PREBUILT_OF = (
    ("0.3.0", "0.1.0"),
    ("0.3.34", "0.1.8"),
    ("0.4.10", "0.2.2"),
    ("0.5.4", "0.5.2"),
    ("0.6.11", "0.6.5"),
    ("1.0.0", "1.0.0"),
    ("1.0.10", "1.0.8"),
    ("1.1.10", "1.0.12"),
    ("1.2.0", "1.1.0"),
    ("1.2.24", "1.1.3"),
)


def changes_since(package: str, version: str) -> list[Change]:
    """The changes after a version, oldest first within each package.

    Args:
        package: The distribution that `version` belongs to. From "langgraph", the changes of
            langgraph-prebuilt and langchain since then are included.
        version: The version that the user comes from.

    Returns:
        The changes. A langgraph between two releases whose prebuilt is known counts as the older one,
        so that a change is rather shown once too often.
    """
    start = {package: version}
    if package == "langgraph":
        older = [prebuilt for graph, prebuilt in _PREBUILT_OF if _release(graph) <= _release(version)]
        start = {"langgraph": version, "langgraph-prebuilt": older[-1] if older else "0", "langchain": "0"}
    return [
        change
        for change in CHANGES
        if change.package in start and _release(change.version) > _release(start[change.package])
    ]
