"""What `interrupt_on=` and `permissions=` of the agent factories become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangchainHumanInTheLoopMiddleware
from langchain_core.tools import BaseTool

from agentkit import _upstream as up
from agentkit.middleware._guard import ApprovalGuard
from agentkit.middleware._policy import check_names
from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware, as_tool
from agentkit.middleware.patch_tool_calls import PatchToolCallsMiddleware
from agentkit.permissions import FILE_TOOLS, FileRules, as_rules

Middleware = AgentMiddleware[Any, Any, Any]


def gate_middleware(
    *,
    interrupt_on: Mapping[str, Any] | None,
    permissions: FileRules | Sequence[Any] | None,
    middleware: Sequence[Middleware] = (),
    tools: Any = (),
    checkpointer: Any = None,
    version: Literal["v1", "v2"] = "v2",
) -> list[Middleware]:
    """Return the middleware of an agent with its gate in place.

    The gate comes first, so that its review comes after everything that changes the model's calls; its
    guard comes last, right before the tools. The gate of a `HumanInTheLoopMiddleware` the user passed is
    merged in, so that there is one pause.

    Args:
        interrupt_on: The agent's `interrupt_on=`.
        permissions: The agent's `permissions=`.
        middleware: The agent's `middleware=`.
        tools: The agent's `tools=`: a sequence, or a `ToolNode`.
        checkpointer: The agent's `checkpointer=`, to refuse one that is switched off.
        version: The agent's `version=`.

    Returns:
        The middleware to build the agent with. Unchanged where there is neither gate nor rule, nor a
        `HumanInTheLoopMiddleware` of agentkit's among it.

    Raises:
        ValueError: If the gate would not gate what it says.
    """
    rest = list(middleware)
    rules = as_rules(permissions)
    if not interrupt_on and rules is None and not any(type(one) is HumanInTheLoopMiddleware for one in rest):
        _check_version(rest, version)
        return rest
    if checkpointer is False:
        raise ValueError("interrupt_on and permissions need a checkpointer to pause in, got checkpointer=False.")
    gate = make_gate(interrupt_on, rules, rest)
    known = known_tools(tools, rest)
    gate.set_tools(known)
    if gate.policy.rules is not None:
        check_rules(gate.policy.rules, known)
        rest = [up.with_file_permissions(one, gate.policy.rules.rules) for one in rest]
    gate.policy.filtering = frozenset(
        tool.name for one in rest if up.has_file_permissions(one) for tool in getattr(one, "tools", ())
    )
    _check_version([gate], version)
    if not any(one.name == PatchToolCallsMiddleware.__name__ for one in rest):
        rest.insert(0, PatchToolCallsMiddleware())
    return [gate, *rest, ApprovalGuard(gate)]


def make_gate(
    interrupt_on: Mapping[str, Any] | None, rules: FileRules | None, middleware: list[Middleware]
) -> HumanInTheLoopMiddleware:
    """Build the gate of an agent, with that of the user's own middleware merged in.

    Args:
        interrupt_on: The agent's `interrupt_on=`.
        rules: The agent's rules.
        middleware: The agent's middleware. A gate of the user's own is taken out of it.

    Returns:
        The gate. It does not know the agent's tools yet.

    Raises:
        ValueError: If the two say different things, or the user's gate can't be merged.
    """
    own = _take_own(middleware)
    theirs = own.policy.rules if isinstance(own, HumanInTheLoopMiddleware) else None
    if theirs is not None and rules is not None:
        raise ValueError("permissions= is given twice: to the agent and to its HumanInTheLoopMiddleware.")
    return HumanInTheLoopMiddleware(_merge(own, interrupt_on or {}), permissions=theirs or rules, **_settings(own))


def known_tools(tools: Any, middleware: Sequence[Middleware] = ()) -> list[BaseTool]:
    """Return every tool an agent will have: its own, those of a `ToolNode`, those of its middleware."""
    given = list(getattr(tools, "tools_by_name", {}).values()) or list(tools or ())
    brought = [tool for one in middleware for tool in getattr(one, "tools", ())]
    return [as_tool(tool) for tool in [*given, *brought] if not isinstance(tool, dict)]


def check_rules(rules: FileRules, tools: Sequence[BaseTool]) -> None:
    """Check that the rules can reach the tools they are meant for.

    Args:
        rules: The rules.
        tools: The agent's tools.

    Raises:
        ValueError: If no tool handles paths, or a tool lacks the argument that is said to be its path.
    """
    check_names(rules.tools, [tool.name for tool in tools], "permissions: tools")
    covered = {tool.name: (tool, rules.arguments_of(tool.name, tool)) for tool in tools}
    if not any(arguments for _, arguments in covered.values()):
        raise ValueError(
            "permissions= covers no tool: none of the agent's tools is a file tool "
            f"({', '.join(FILE_TOOLS)}) or says which argument is a path (agentkit.permissions.path_argument)."
        )
    for name, (tool, arguments) in covered.items():
        for one in arguments:
            if one.argument not in tool.args:
                raise ValueError(
                    f"permissions: tool {name!r} has no argument {one.argument!r}; it has "
                    f"{', '.join(tool.args) or 'none'}. Say which one is the path with "
                    "agentkit.permissions.path_argument."
                )


def _take_own(middleware: list[Middleware]) -> LangchainHumanInTheLoopMiddleware[Any, Any, Any] | None:
    """Take the user's own gate out of the list."""
    own = [one for one in middleware if isinstance(one, LangchainHumanInTheLoopMiddleware)]
    if not own:
        return None
    if len(own) > 1 or type(own[0]) not in (LangchainHumanInTheLoopMiddleware, HumanInTheLoopMiddleware):
        raise ValueError(
            "interrupt_on= and permissions= can be merged with one plain HumanInTheLoopMiddleware in "
            f"middleware=, not with {', '.join(type(one).__name__ for one in own)}. Pass everything to that "
            "middleware, or drop it."
        )
    middleware.remove(own[0])
    return own[0]


def _merge(
    own: LangchainHumanInTheLoopMiddleware[Any, Any, Any] | None, interrupt_on: Mapping[str, Any]
) -> dict[str, Any]:
    theirs: Mapping[str, Any] = {}
    if own is not None:
        theirs = own.given if isinstance(own, HumanInTheLoopMiddleware) else own.interrupt_on
    for name in theirs.keys() & interrupt_on.keys():
        if theirs[name] != interrupt_on[name]:
            raise ValueError(
                f"{name!r} is gated twice and differently: in interrupt_on= and in the "
                "HumanInTheLoopMiddleware in middleware=. Say it once."
            )
    return {**theirs, **interrupt_on}


def _settings(own: LangchainHumanInTheLoopMiddleware[Any, Any, Any] | None) -> dict[str, Any]:
    names = ("description_prefix", "edit_notice", "interrupt_mode", "schema")
    return {name: getattr(own, name) for name in names if hasattr(own, name)}


def _check_version(middleware: Sequence[Middleware], version: str) -> None:
    """One tools task for several calls can't pause for each of them: it would run the others again."""
    if version == "v1" and any(getattr(one, "interrupt_mode", "") == "per_call" for one in middleware):
        raise ValueError(
            "interrupt_mode='per_call' needs version='v2': with 'v1' one task runs all calls of a message, and "
            "a pause for one of them would run the others again."
        )
