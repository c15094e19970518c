"""Which tool calls need a person: gates by tool name, permission rules, and how the two combine."""

from __future__ import annotations

import difflib
import fnmatch
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool

from agentkit.hitl._convert import DECISIONS
from agentkit.permissions import FileRules

_KEYS = frozenset({"allowed_decisions", "description", "when", "args_schema", "on_restart"})
_ON_RESTART = ("ask", "run")
_PATTERN = frozenset("*?[")


@dataclass(frozen=True)
class Gate:
    """A checked entry of `interrupt_on`.

    Attributes:
        allowed: The decisions allowed, in the order given.
        description: The text for the reviewer, or a function that writes it.
        when: A function of the request; anything but `False` interrupts.
        on_restart: What becomes of an approved call that was started and whose end nobody saw: `"ask"` a person
            again, or `"run"` it again.
    """

    allowed: tuple[str, ...] = DECISIONS
    description: Any = None
    when: Callable[[Any], Any] | None = None
    on_restart: Literal["ask", "run"] = "ask"


@dataclass(frozen=True)
class PolicyResult:
    """What the policy says about one call.

    Attributes:
        kind: `"free"` (may run), `"ask"` (needs a person) or `"deny"` (a rule forbids it).
        allowed: The decisions a person may take.
        reason: The rule behind it, if one was.
    """

    kind: Literal["free", "ask", "deny"]
    allowed: tuple[str, ...] = ()
    reason: str = ""


FREE = PolicyResult("free")


def check_gates(interrupt_on: Mapping[str, Any]) -> dict[str, Gate | None]:
    """Check `interrupt_on` and resolve its shorthand.

    Args:
        interrupt_on: Tool name or pattern to `True`, `False` or a config.

    Returns:
        The gates; None where the entry says that the tool is free.

    Raises:
        ValueError: If an entry would not gate what it says.
    """
    return {name: _check_gate(name, entry) for name, entry in interrupt_on.items()}


def _check_gate(name: object, entry: Any) -> Gate | None:
    if not isinstance(name, str) or not name:
        raise ValueError(f"interrupt_on: a tool name must be text, got {name!r}.")
    if isinstance(entry, bool):
        return Gate() if entry else None
    if not isinstance(entry, Mapping):
        raise ValueError(f"interrupt_on[{name!r}] must be True, False or a config, got {entry!r}.")
    unknown = sorted(map(str, set(entry) - _KEYS))
    if unknown:
        raise ValueError(
            f"interrupt_on[{name!r}] has no key {', '.join(map(repr, unknown))}; there are "
            f"{', '.join(map(repr, sorted(_KEYS)))}."
        )
    when, description = entry.get("when"), entry.get("description")
    if when is not None and (not callable(when) or inspect.iscoroutinefunction(when)):
        raise ValueError(f"interrupt_on[{name!r}]: 'when' must be a plain function, got {when!r}.")
    if description is not None and not isinstance(description, str) and not callable(description):
        raise ValueError(f"interrupt_on[{name!r}]: 'description' must be a text or a function.")
    on_restart = entry.get("on_restart", "ask")
    if on_restart not in _ON_RESTART:
        raise ValueError(f"interrupt_on[{name!r}]: 'on_restart' must be 'ask' or 'run', got {on_restart!r}.")
    return Gate(_check_decisions(name, entry.get("allowed_decisions")), description, when, on_restart)


def _check_decisions(name: str, allowed: Any) -> tuple[str, ...]:
    if not isinstance(allowed, (list, tuple)) or not allowed:
        raise ValueError(
            f"interrupt_on[{name!r}]: 'allowed_decisions' must be a list of decisions that is not empty, "
            f"got {allowed!r}. There are {', '.join(map(repr, DECISIONS))}."
        )
    for decision in allowed:
        if decision not in DECISIONS:
            raise ValueError(
                f"interrupt_on[{name!r}] allows {decision!r}, which is no decision."
                f"{_nearest(decision, DECISIONS)} There are {', '.join(map(repr, DECISIONS))}."
            )
    return tuple(dict.fromkeys(allowed))


def check_names(interrupt_on: Iterable[str], known: Iterable[str], what: str = "interrupt_on") -> None:
    """Check that every name and pattern covers a tool that exists.

    Args:
        interrupt_on: Names and patterns. `"*"` is always fine.
        known: The names of the tools.
        what: How the message names the mapping.

    Raises:
        ValueError: If a name or pattern covers no tool.
    """
    tools = sorted(known)
    for name in interrupt_on:
        if name != "*" and name not in tools and not fnmatch.filter(tools, name):
            raise ValueError(
                f"{what} gates {name!r}, but no tool has that name.{_nearest(name, tools)}"
                f" There are {', '.join(map(repr, tools)) or 'no tools'}."
            )


def _nearest(name: object, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(name), list(known), 1)
    return f" Did you mean {near[0]!r}?" if near else ""


class Policy:
    """The gates and rules of one agent.

    Args:
        gates: Checked gates by name or pattern.
        rules: Permission rules, or None.

    Attributes:
        tools: The agent's tools by name, or None where they are not known yet.
        filtering: Names of tools that leave denied paths out of their own results.
    """

    def __init__(
        self,
        gates: Mapping[str, Gate | None],
        rules: FileRules | None = None,
    ) -> None:
        self.gates: dict[str, Gate | None] = dict(gates)
        self.rules = rules
        self.tools: dict[str, BaseTool] | None = None
        self.filtering: frozenset[str] = frozenset()
        # The most specific pattern first: the one with the most characters that are no wildcard. Of two
        # equal ones, the one that gates.
        self._patterns = sorted(
            (name for name in self.gates if _PATTERN & set(name)),
            key=lambda name: (-sum(c not in _PATTERN for c in name), self.gates[name] is None),
        )

    def gate_for(self, name: str) -> Gate | None:
        """Return the gate of a tool: its own entry, else that of the most specific pattern."""
        if name in self.gates:
            return self.gates[name]
        for pattern in self._patterns:
            if fnmatch.fnmatchcase(name, pattern):
                return self.gates[pattern]
        return None

    def concerns(self, name: str, tool: BaseTool | None = None) -> bool:
        """Whether calls of this tool can ever need a person or be forbidden."""
        known = tool or self.tool(name)
        return self.gate_for(name) is not None or bool(self.rules and self.rules.arguments_of(name, known))

    def is_fixed(self, name: str) -> bool:
        """Whether every call of this tool needs a person, whatever its arguments."""
        gate = self.gate_for(name)
        return gate is not None and gate.when is None

    def tool(self, name: str) -> BaseTool | None:
        """Return a tool by name, if it is known."""
        return (self.tools or {}).get(name)

    def set_tools(self, tools: Iterable[BaseTool]) -> None:
        """Say which tools the agent has."""
        self.tools = {tool.name: tool for tool in tools}

    def register_tools(self, tools: Iterable[Any]) -> None:
        """Add tools that were not known when the agent was built, such as those middleware brings for a call."""
        if self.tools is not None:
            for tool in tools:
                if isinstance(tool, BaseTool):
                    self.tools.setdefault(tool.name, tool)

    @property
    def can_ask(self) -> bool:
        """Whether any call can come to need a person, and so a saver that keeps the interrupt."""
        asks = self.rules is not None and any(rule.mode == "interrupt" for rule in self.rules.rules)
        return asks or any(gate is not None for gate in self.gates.values())

    def evaluate_rules(self, call: Mapping[str, Any], tool: BaseTool | None = None) -> PolicyResult:
        """Say what the permission rules make of a call, with the links of the filesystem as they are now.

        Args:
            call: Name and arguments.
            tool: The tool that will run, where it may be unknown here. Default None.

        Returns:
            The result. Its reason names the real path and the rule, so a call whose reason differs from the one
            shown to a person leads elsewhere than it did.
        """
        if self.rules is None:
            return FREE
        name = call["name"]
        found = self.rules.judge(name, call["args"], tool or self.tool(name), denies=name not in self.filtering)
        if found.mode == "interrupt":
            return PolicyResult("ask", DECISIONS, found.reason)
        return PolicyResult("deny", reason=found.reason) if found.mode == "deny" else FREE

    def evaluate(self, call: ToolCall, make_request: Callable[[], Any], tool: BaseTool | None = None) -> PolicyResult:
        """Say what gates and rules make of one call.

        Args:
            call: The tool call.
            make_request: Makes the request a `when` function is given.
            tool: The tool that will run, where it may be unknown here. Default None.

        Returns:
            The result. A rule that forbids the call counts before any gate; a gate's own list of
            decisions counts before the rule's.
        """
        by_rules = self.evaluate_rules(call, tool)
        gate = self.gate_for(call["name"])
        if by_rules.kind == "deny" or gate is None:
            return by_rules
        if by_rules.kind == "free" and gate.when is not None and gate.when(make_request()) is False:
            return FREE
        return PolicyResult("ask", gate.allowed, by_rules.reason)

    def check_edit(
        self,
        original: Mapping[str, Any],
        edited: Mapping[str, Any],
        make_request: Callable[[], Any],
        *,
        same_tool: bool = False,
    ) -> str:
        """Say why an edit can't be taken: it is evaluated as the call it becomes.

        Args:
            original: The call that was asked about.
            edited: The name and arguments it shall have.
            make_request: Makes the request a `when` function is given, for the edited call.
            same_tool: Whether the edit may change the arguments only. Default False.

        Returns:
            The reason, or an empty text where the edit is fine.
        """
        name = edited["name"]
        if name != original["name"]:
            problem = self._check_other_tool(original["name"], name, same_tool)
            if problem:
                return problem
        by_rules = self.evaluate_rules(edited)
        if by_rules.kind == "deny":
            return f"permission denied for {by_rules.reason}"
        gate = self.gate_for(name)
        if name == original["name"] or gate is None or "approve" in gate.allowed:
            return ""
        if gate.when is not None and gate.when(make_request()) is False:
            return ""
        return f"{name!r} may not be approved by a person; allowed for it: {', '.join(gate.allowed)}"

    def _check_other_tool(self, original: str, name: str, same_tool: bool) -> str:
        if same_tool:
            return f"it names the tool {name!r}, and only the arguments of {original!r} may be edited here"
        if self.tools is None:
            return (
                f"the tools are not known to the gate, so an edit can't lead to another tool ({name!r}); "
                "give the middleware tools=[...]"
            )
        if name not in self.tools:
            return f"no tool is named {name!r}.{_nearest(name, self.tools)} There are {', '.join(sorted(self.tools))}"
        return ""
