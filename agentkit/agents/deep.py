"""`create_deep_agent`: deepagents' own, with the strict gate in place of the stock one, in every sub-agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware
from langchain_core.tools import BaseTool
from langgraph.graph.state import CompiledStateGraph

from agentkit.agents._subagents import general_purpose_subagent
from agentkit.middleware._gates import known_tools, make_gate, settings_of
from agentkit.middleware._guard import ApprovalGuard
from agentkit.middleware._policy import InterruptOn
from agentkit.middleware.human_in_the_loop import HumanInTheLoopMiddleware
from agentkit.permissions import FileRules, as_rules
from agentkit.permissions._backends import resolver_of
from agentkit.prebuilt._tools import check_names

try:
    from deepagents import FilesystemPermission as DeepagentsPermission
    from deepagents import create_deep_agent as _create_deep_agent
except ImportError as _error:
    raise ImportError(
        "create_deep_agent needs the deepagents package (Python 3.11 or newer): "
        "pip install 'langgraph-agentkit[deepagents]'"
    ) from _error

__all__ = ["create_deep_agent"]

# What a middleware is called that stands in for one of deepagents' own, also in the general-purpose sub-agent.
_SLOTS = frozenset(
    {
        "AnthropicPromptCachingMiddleware",
        "FilesystemMiddleware",
        "PatchToolCallsMiddleware",
        "SkillsMiddleware",
        "SummarizationMiddleware",
    }
)
_GENERAL = "general-purpose"


def create_deep_agent(
    model: Any = None,
    tools: Sequence[BaseTool | Callable[..., Any] | dict[str, Any]] | None = None,
    *,
    middleware: Sequence[AgentMiddleware[Any, Any]] = (),
    subagents: Sequence[Mapping[str, Any]] | None = None,
    interrupt_on: InterruptOn | None = None,
    permissions: FileRules | Sequence[Any] | None = None,
    backend: Any = None,
    **kwargs: Any,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build a deep agent whose approvals and permissions never fail open.

    Replaces `deepagents.create_deep_agent`, with the same arguments. It differs in this: `interrupt_on` and
    rules of mode `"interrupt"` become agentkit's gate, at the top and in every declared sub-agent and the
    general-purpose one; a path rule holds even where `interrupt_on` sets the tool free; both are checked
    when the agent is built. A sub-agent's own `interrupt_on` or `permissions` takes the place of the
    parent's, as in deepagents. Compiled and remote sub-agents stay as they are.

    Args:
        model: `"provider:name"` or a chat model.
        tools: Tools beside deepagents' own. Defaults to None.
        middleware: Middleware. Defaults to `()`.
        subagents: Specs of sub-agents. Defaults to None.
        interrupt_on: Tool name or pattern to `True`, `False` or a config, as for
            `agentkit.middleware.HumanInTheLoopMiddleware`. Defaults to None.
        permissions: Rules, agentkit's or deepagents', or a `FileRules`. Defaults to None.
        backend: Where the file tools read and write. Symbolic links are followed where deepagents does.
            Defaults to None, the agent's state.
        **kwargs: Any other argument of `deepagents.create_deep_agent`.

    Returns:
        The compiled graph.

    Raises:
        ImportError: If deepagents is not installed (when this module is imported).
        ValueError: If a gate or rule would not gate what it says.

    Example:
        ```python
        from agentkit.agents import create_deep_agent
        from agentkit.permissions import FilesystemPermission

        agent = create_deep_agent(
            "anthropic:claude-sonnet-5",
            [send_email],
            interrupt_on={"send_email": True},
            permissions=[FilesystemPermission(["write"], ["/secrets/**"], mode="interrupt")],
            checkpointer=saver,
        )
        ```
    """
    rest = list(middleware)
    top = _Gated(_make_gate(interrupt_on, permissions, rest, backend), list(tools or ()), rest)
    specs, inner = _subagents(subagents or (), top, interrupt_on, permissions, backend)
    if not any(gated.is_needed() for gated in (top, *inner)):
        return cast(Any, _create_deep_agent)(  # type: ignore[no-any-return]
            model, tools, middleware=middleware, subagents=subagents, permissions=permissions, backend=backend, **kwargs
        )
    if not any(spec.get("name") == _GENERAL for spec in specs) and top.is_needed():
        general = general_purpose_subagent(model)
        if general is not None:
            shared = [one for one in rest if one.name in _SLOTS]
            own = _Gated(top.copy(), top.tools, shared, inherits=True)
            specs.insert(0, {**general, **({"skills": s} if (s := kwargs.get("skills")) else {}), **own.spec()})
            inner.append(own)
    agent: Any = cast(Any, _create_deep_agent)(
        model,
        tools,
        middleware=top.middleware(),
        subagents=specs,
        permissions=_enforced(top.gate.policy.rules),
        backend=backend,
        **kwargs,
    )
    builtin = _set_tools(agent, top, inner)
    for gated in inner:
        gated.set_tools(builtin)
    return agent  # type: ignore[no-any-return]


class _Gated:
    """The gate of one agent, with what belongs to it.

    Args:
        gate: The gate.
        tools: The agent's own tools.
        rest: Its other middleware.
        inherits: Whether the gate is the parent's, whose tools this agent may lack.
    """

    def __init__(
        self, gate: HumanInTheLoopMiddleware, tools: Sequence[Any], rest: Sequence[Any], *, inherits: bool = False
    ) -> None:
        self.gate, self.tools, self.rest, self.inherits = gate, tools, rest, inherits
        check_names(tools, [gate, *rest] if self.is_needed() else rest)

    def is_needed(self) -> bool:
        return bool(self.gate.policy.gates or self.gate.policy.rules)

    def middleware(self) -> list[Any]:
        """The gate first, its guard last; neither where there is nothing to gate."""
        return [self.gate, *self.rest, ApprovalGuard(self.gate)] if self.is_needed() else list(self.rest)

    def spec(self) -> dict[str, Any]:
        """The part of a sub-agent's spec that the gate stands for."""
        return {"middleware": self.middleware(), "permissions": _enforced(self.gate.policy.rules) or []}

    def copy(self) -> HumanInTheLoopMiddleware:
        """The same gate for a sub-agent, which has tools of its own."""
        return HumanInTheLoopMiddleware(self.gate.given, permissions=self.gate.policy.rules, **settings_of(self.gate))

    def set_tools(self, builtin: Sequence[BaseTool]) -> None:
        """Tell the gate its agent's tools, once they are known, and check its names against them."""
        self.gate.set_tools([*builtin, *known_tools(self.tools, self.rest)], check=not self.inherits)


def _set_tools(agent: Any, top: _Gated, inner: Iterable[_Gated]) -> list[BaseTool]:
    """Give the finished agent's tools to its gate; returns those that sub-agents have too."""
    if top.is_needed() and f"{top.gate.name}.after_model" not in agent.nodes:
        raise ValueError(
            "the model's harness profile of deepagents excludes the approval gate; the agent was not built."
        )
    tools = dict(agent.nodes["tools"].bound.tools_by_name)
    own = {tool.name for tool in known_tools(top.tools)}
    builtin = [tool for name, tool in tools.items() if name not in own and name != "task"]
    inherited = {tool.name for one in inner if one.inherits for tool in known_tools(one.tools, one.rest)}
    top.gate.policy.set_tools(tools.values(), elsewhere=inherited - {*tools})
    return builtin


def _subagents(
    subagents: Sequence[Mapping[str, Any]],
    top: _Gated,
    interrupt_on: InterruptOn | None,
    permissions: Any,
    backend: Any,
) -> tuple[list[dict[str, Any]], list[_Gated]]:
    """Put a gate into each declared sub-agent."""
    specs: list[dict[str, Any]] = []
    inner: list[_Gated] = []
    for given in subagents:
        spec = dict(given)
        if "runnable" in spec or "graph_id" in spec:
            specs.append(spec)
            continue
        own_gates = spec.pop("interrupt_on", None) if "interrupt_on" in spec else top.gate.given
        own_rules = spec.get("permissions", top.gate.policy.rules)
        rest = list(spec.get("middleware", ()))
        inherits = "interrupt_on" not in given
        gated = _Gated(
            _make_gate(own_gates, own_rules, rest, backend), spec.get("tools", top.tools) or (), rest, inherits=inherits
        )
        inner.append(gated)
        specs.append({**spec, **gated.spec()})
    return specs, inner


def _make_gate(gates: Any, rules: Any, rest: list[Any], backend: Any) -> HumanInTheLoopMiddleware:
    """The gate of one agent. The paths of tools that are not deepagents' own are resolved by the agent's backend."""
    gate = make_gate(gates, as_rules(rules), rest)
    found = gate.policy.rules
    if found is not None and found.root is None and found.resolve is None:
        gate.policy.rules = replace(found, resolve=resolver_of(backend))
    return gate


def _enforced(rules: FileRules | None) -> list[DeepagentsPermission] | None:
    """The rules for deepagents' own tools. What waits for a person has been let through when they run."""
    if rules is None:
        return None
    return [
        DeepagentsPermission(
            list(rule.operations), list(rule.paths), "allow" if rule.mode == "interrupt" else rule.mode
        )
        for rule in rules.rules
    ]
