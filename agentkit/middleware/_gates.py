"""What `interrupt_on=` and `permissions=` of the agent factories become."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware import HumanInTheLoopMiddleware as LangchainHumanInTheLoopMiddleware
from langchain_core.tools import BaseTool

from agentkit import _upstream as up
from agentkit.middleware._guard import ApprovalGuard
from agentkit.middleware._policy import InterruptOn
from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware, as_tool
from agentkit.middleware.patch_tool_calls import PatchToolCallsMiddleware
from agentkit.permissions import FileRules, as_rules

Middleware = AgentMiddleware[Any, Any, Any]


def gate_middleware(
    *,
    interrupt_on: InterruptOn | None,
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
        tools: The agent's own tools.
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
        check_single(rest)
        _check_version(rest, version)
        return rest
    gate = make_gate(interrupt_on, rules, rest)
    policy = gate.policy
    if checkpointer is False and policy.can_ask:
        raise ValueError("interrupt_on and permissions need a checkpointer to pause in, got checkpointer=False.")
    if policy.rules is not None:
        rest = [up.with_file_permissions(one, policy.rules.rules) for one in rest]
    gate.set_tools(known_tools(tools, rest))
    _check_version([gate], version)
    if not any(one.name == PatchToolCallsMiddleware.__name__ for one in rest):
        rest.insert(0, PatchToolCallsMiddleware())
    return [gate, *rest, ApprovalGuard(gate)]


def make_gate(
    interrupt_on: InterruptOn | None, rules: FileRules | None, middleware: list[Middleware]
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
    return HumanInTheLoopMiddleware(_merge(own, interrupt_on or {}), permissions=theirs or rules, **settings_of(own))


def known_tools(tools: Iterable[Any] | None, middleware: Sequence[Middleware] = ()) -> list[BaseTool]:
    """Return every tool an agent will have: its own and those of its middleware."""
    brought = [tool for one in middleware for tool in getattr(one, "tools", ())]
    return [as_tool(tool) for tool in [*(tools or ()), *brought] if not isinstance(tool, dict)]


def check_single(middleware: Sequence[Middleware]) -> None:
    """Check that an agent has one gate, where one of them is agentkit's.

    Raises:
        ValueError: If it has two: what one of them edits, the other was not asked about.
    """
    own = [one for one in middleware if isinstance(one, LangchainHumanInTheLoopMiddleware)]
    if len(own) > 1 and any(isinstance(one, HumanInTheLoopMiddleware) for one in own):
        raise ValueError(
            f"an agent has one gate, got {', '.join(type(one).__name__ for one in own)} in middleware=. Merge them "
            "into one HumanInTheLoopMiddleware."
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


def _merge(own: LangchainHumanInTheLoopMiddleware[Any, Any, Any] | None, interrupt_on: InterruptOn) -> dict[str, Any]:
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


def settings_of(own: LangchainHumanInTheLoopMiddleware[Any, Any, Any] | None) -> dict[str, Any]:
    """The other arguments a gate was made with."""
    names = ("description_prefix", "edit_notice", "interrupt_mode", "schema", "one_by_one")
    return {name: getattr(own, name) for name in names if hasattr(own, name)}


def _check_version(middleware: Sequence[Middleware], version: str) -> None:
    """One tools task for several calls can't pause for each of them: it would run the others again."""
    if version == "v1" and any(getattr(one, "interrupt_mode", "") == "per_call" for one in middleware):
        raise ValueError(
            "interrupt_mode='per_call' needs version='v2': with 'v1' one task runs all calls of a message, and "
            "a pause for one of them would run the others again."
        )
