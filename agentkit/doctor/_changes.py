"""What changed in upstream's behaviour, version by version, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Change(
        "langgraph",
        "0.1.6",
        "An exception in a tool, and bad arguments, become a message for the model; before, they were raised. "
        "`ToolNode(handle_tool_errors=False)` raises them.",
    ),
    Change("langgraph", "0.1.9", "A call of an unknown tool becomes a message for the model; before, KeyError."),
    Change(
        "langgraph",
        "0.1.9",
        "`create_react_agent` takes what follows `tools` by keyword only, and `messages_modifier=` warns.",
    ),
    Change(
        "langgraph",
        "0.2.0",
        "`create_agent_executor` and `create_function_calling_executor` are gone; `create_react_agent` takes the "
        "same tools.",
    ),
    Change(
        "langgraph",
        "0.2.37",
        "A `state_schema` of one's own needs the key `remaining_steps` (before: `is_last_step`); without it, "
        "`create_react_agent` raises ValueError.",
    ),
    Change("langgraph", "0.2.40", 'The message of a failed tool has `status="error"`; before, "success".'),
    Change(
        "langgraph",
        "0.2.40",
        "`handle_tool_errors=` means what it says: a text, a function, types; before, anything true was as good as "
        "True.",
    ),
    Change(
        "langgraph",
        "0.2.44",
        "A history with unanswered tool calls raises ValueError before the model is called. `create_agent` has no "
        "such check.",
    ),
    Change(
        "langgraph",
        "0.2.68",
        "`prompt=` replaces `messages_modifier=` and `state_modifier=`; agentkit still takes all three, with a "
        "warning. `prompt=` with `state_modifier=` is a ValueError.",
    ),
    Change("langgraph", "0.3.0", "`ToolExecutor` and `ToolInvocation` are gone; use `ToolNode`."),
    Change("langgraph", "0.3.0", "`messages_modifier=` is a TypeError; agentkit still takes it, with a warning."),
    Change(
        "langgraph",
        "0.3.0",
        "`langgraph.prebuilt` is a package of its own, langgraph-prebuilt: `pip install -U` from before leaves it "
        "without files. `agentkit doctor` names that, with the command that mends it.",
    ),
    Change(
        "langgraph",
        "1.0.6",
        "The default recursion limit is about 10,000 steps instead of 25: an agent that never stops runs for long. "
        'Set `recursion_limit` in the config, e.g. {"recursion_limit": 25}, or LANGGRAPH_DEFAULT_RECURSION_LIMIT.',
    ),
    Change(
        "langgraph-prebuilt",
        "0.2.0",
        'The default of `create_react_agent(version=)` is "v2": each tool call is a task of its own. Pass '
        'version="v1" for one task per message.',
    ),
    Change("langgraph-prebuilt", "0.2.0", "`state_modifier=` is a TypeError; agentkit still takes it, with a warning."),
    Change(
        "langgraph-prebuilt",
        "0.6.0",
        "`config_schema=` is deprecated for `context_schema=`; both still work.",
    ),
    Change(
        "langgraph-prebuilt",
        "0.6.0",
        'With version="v2" the input of a `tools` task is a `ToolCallWithContext` (the call and the state); '
        "before, a list of one call.",
    ),
    Change("langgraph-prebuilt", "0.6.4", 'With version="v2" the input of a `tools` task is a list of one call again.'),
    Change(
        "langgraph-prebuilt",
        "1.0.0",
        "`create_react_agent`, `ValidationNode`, `AgentState*` and `HumanInterrupt` are deprecated; "
        "`agentkit migrate` rewrites them. The `langchain.agents.interrupt` that the warning names does not exist: "
        "it is `agentkit.agents.interrupt`.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "An exception in a tool is raised; before, it became an error message for the model. Pass "
        "`handle_tool_errors=True` to agentkit's `create_react_agent` or `create_agent`, or to `ToolNode`, for "
        "the old behaviour. Bad arguments still become a message, in other words than before.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "A tool that is async only raises NotImplementedError under `invoke`; before, an error message for the model.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "Bad arguments are a `ToolInvocationError`, which is a ToolException, instead of pydantic's ValidationError: "
        "`handle_tool_errors=(ValueError,)` no longer covers them (name that class too), and "
        "`handle_tool_errors=False` raises that.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        "`ToolNode(...).invoke(...)` outside a graph raises `Missing required config key`; agentkit's ToolNode "
        "still works there.",
    ),
    Change(
        "langgraph-prebuilt",
        "1.0.2",
        'With version="v2" the input of a `tools` task is a `ToolCallWithContext`, as it was from 0.6.0 to 0.6.3.',
    ),
    Change("langgraph-prebuilt", "1.0.6", "`StateSchemaType` is gone from `chat_agent_executor`; agentkit has it."),
    Change(
        "langgraph-prebuilt",
        "1.0.11",
        "`ToolRuntime(...)`, where a test builds one, needs `tools=`; from 1.1.0 it may be left out.",
    ),
    Change(
        "langchain",
        "1.0.3",
        "`langchain.tools.tool_node` hands out langgraph.prebuilt's own classes; before, copies, so that "
        "`isinstance` failed between the two. Its `tools_condition` and `ToolInvocationError` are gone.",
    ),
    Change(
        "langchain",
        "1.0.4",
        'The default of `ToolCallLimitMiddleware(exit_behavior=)` is "continue": calls over the limit get an error '
        'message and the run goes on. Pass "end" for the old one, which ended the run.',
    ),
    Change(
        "langchain",
        "1.0.5",
        "`create_agent` sets a recursion limit of 10,000 steps; before, langgraph's default held. Set "
        "`recursion_limit` in the config.",
    ),
    Change(
        "langchain",
        "1.1.0",
        "`ModelRequest` takes keywords only, and its field is `system_message`; `system_prompt` is a property.",
    ),
    Change(
        "langchain",
        "1.1.0",
        'The default of `ToolRetryMiddleware(on_failure=)` is "continue"; "return_message" means the same and is '
        "deprecated.",
    ),
    Change(
        "langchain",
        "1.1.0",
        "`SummarizationMiddleware` takes `trigger=` and `keep=`; `max_tokens_before_summary=` and "
        "`messages_to_keep=` are deprecated.",
    ),
    Change("langchain", "1.2.4", "The metadata of a run has `lc_agent_name` where `create_agent` was given a name."),
    Change("langchain", "1.2.13", "The metadata of a `create_agent` run has `ls_integration`."),
    Change("langchain", "1.2.14", "`create_agent` sets a recursion limit of 9,999 steps; before, 10,000."),
    Change(
        "langchain",
        "1.2.17",
        "`HumanInTheLoopMiddleware`: `True` allows `respond` beside approve, edit and reject.",
    ),
    Change("langchain", "1.3.3", "`when` in an interrupt config is honoured; before, it was ignored."),
    Change(
        "langchain",
        "1.3.4",
        "A rejection without a message tells the model that the tool was not executed and not to try again; before, "
        "only that the call was rejected.",
    ),
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
        "notice (`edit_notice=None`: without); before, the message was rewritten.",
    ),
    Change("langchain", "1.5.0", "langchain needs Python 3.11; on 3.10 the newest is 1.4."),
    Change(
        "langchain",
        "1.5.2",
        "The message of a rejected or answered call carries notification metadata that names the decision.",
    ),
)

# From this langgraph on: the langgraph-prebuilt that came out with it.
_PREBUILT_OF = (
    ("0.3.0", "0.1.0"),
    ("0.3.34", "0.1.8"),
    ("0.4.10", "0.2.2"),
    ("0.5.4", "0.5.2"),
    ("0.6.11", "0.6.5"),
    ("1.0.0", "1.0.0"),
    ("1.0.3", "1.0.5"),
    ("1.0.10", "1.0.8"),
    ("1.1.10", "1.0.12"),
    ("1.2.0", "1.1.0"),
    ("1.2.24", "1.1.3"),
)
# From this langgraph on: the oldest langchain that takes it.
_LANGCHAIN_OF = (
    ("1.1.0", "1.2.11"),
    ("1.2.0", "1.3.0"),  # but for 1.2.11, which has no upper bound here
)


def changes_since(package: str, version: str, installed: Mapping[str, str] | None = None) -> list[Change]:
    """The changes after a version and up to what is installed, oldest first within each package.

    Args:
        package: The distribution that `version` belongs to. From "langgraph", the changes of
            langgraph-prebuilt and langchain since then are included.
        version: The version that the user comes from.
        installed: Versions by distribution; what is newer than them is left out. Defaults to None, which
            leaves out nothing; nor does a distribution that is not in it.

    Returns:
        The changes. A langgraph between two releases whose prebuilt is known counts as the older one,
        so that a change is rather shown once too often. So does langchain: a langgraph goes with many.
    """
    start = {package: version}
    if package == "langgraph":
        start["langgraph-prebuilt"] = _older(_PREBUILT_OF, version)
        start["langchain"] = _older(_LANGCHAIN_OF, version)
    end = {name: version for name, version in (installed or {}).items() if _release(version)}
    return [
        change
        for change in CHANGES
        if change.package in start
        and _release(start[change.package]) < _release(change.version)
        and _release(change.version) <= _release(end.get(change.package, change.version))
    ]


def _older(table: Sequence[tuple[str, str]], langgraph: str) -> str:
    """The last entry that is not after this langgraph; "0" for none."""
    return next((other for since, other in reversed(table) if _release(since) <= _release(langgraph)), "0")
