"""Which tool calls need a person: gates by tool name, permission rules, and how the two combine."""

from __future__ import annotations

import difflib
import fnmatch
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain.agents.middleware import InterruptOnConfig as LangchainInterruptOnConfig
from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool
from pydantic import ValidationError
from typing_extensions import NotRequired, TypedDict

from agentkit import _upstream as up
from agentkit.hitl._convert import DECISIONS
from agentkit.permissions import FILE_TOOLS, FileRules
from agentkit.permissions import PolicyResult as PolicyResult
from agentkit.permissions._rules import entry_for

_ON_RESTART = ("ask", "run")


class InterruptOnConfig(TypedDict):
    """How calls of one tool are reviewed: the entry of `interrupt_on` where `True` does not say enough.

    Attributes:
        allowed_decisions: The decisions a person may take, at least one.
        description: The text for the reviewer, or a function of call, state and runtime that writes it.
        args_schema: A JSON schema of the arguments, for front-ends.
        when: A function of the request; anything but `False` interrupts.
        on_restart: What becomes of an approved call that was started and whose end nobody saw: `"ask"` (default) a
            person again, or `"run"` it again, for tools that may run twice.
    """

    allowed_decisions: Sequence[Literal["approve", "edit", "reject", "respond"]]
    description: NotRequired[str | Callable[..., str]]
    args_schema: NotRequired[dict[str, Any]]
    when: NotRequired[Callable[[Any], Any]]
    on_restart: NotRequired[Literal["ask", "run"]]


InterruptOn = Mapping[str, bool | InterruptOnConfig | LangchainInterruptOnConfig]
"""Tool name or pattern to `True` (all decisions), `False` (free) or a config, agentkit's or langchain's."""

_KEYS = frozenset(InterruptOnConfig.__annotations__)


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
    """

    def __init__(
        self,
        gates: Mapping[str, Gate | None],
        rules: FileRules | None = None,
    ) -> None:
        self.gates: dict[str, Gate | None] = dict(gates)
        self.rules = rules
        self.tools: dict[str, BaseTool] | None = None

    def gate_for(self, name: str) -> Gate | None:
        """Return the gate of a tool: its own entry, else that of the most specific pattern."""
        return entry_for(name, self.gates)

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

    def set_tools(self, tools: Iterable[BaseTool], *, check: bool = True, elsewhere: Iterable[str] = ()) -> None:
        """Say which tools the agent has.

        Args:
            tools: All of them.
            check: Whether every gate must cover one. Default True.
            elsewhere: Names of tools that only agents have which inherit this policy.

        Raises:
            ValueError: If a gate or rule can't do what it says for these tools.
        """
        self.tools = {tool.name: tool for tool in tools}
        if check:
            names = {*self.tools, *elsewhere}
            check_names(self.gates, names)
            check_names(self.rules.tools if self.rules else (), names, "permissions: tools")
        if self.rules is not None:
            self._check_reach(self.rules, self.tools, check and not elsewhere)

    def _check_reach(self, rules: FileRules, tools: Mapping[str, BaseTool], must_cover: bool) -> None:
        arguments = {name: rules.arguments_of(name, tool) for name, tool in tools.items()}
        if must_cover and not any(arguments.values()):
            raise ValueError(
                "permissions= covers no tool: none of the agent's tools is a file tool "
                f"({', '.join(FILE_TOOLS)}) or says which argument is a path (agentkit.permissions.path_argument)."
            )
        for name, tool in tools.items():
            if up.is_shell_tool(tool) and not (arguments[name] or self.is_fixed(name)):
                raise ValueError(
                    f"permissions: tool {name!r} runs commands, which read and write any path, so no rule can hold for "
                    f"it. Leave it out, or let a person see every command: interrupt_on={{{name!r}: True}}."
                )
            for argument in [named for one in arguments[name] for named in (one.argument, one.pattern) if named]:
                if argument not in tool.args:
                    raise ValueError(
                        f"permissions: tool {name!r} has no argument {argument!r}; it has "
                        f"{', '.join(tool.args) or 'none'}. Say which one is the path with "
                        "agentkit.permissions.path_argument."
                    )

    def register_tools(self, tools: Iterable[Any]) -> None:
        """Note the tools of a model call, among them those that middleware brings for it."""
        if self.tools is not None:
            self.tools.update({tool.name: tool for tool in tools if isinstance(tool, BaseTool)})

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
        found = self.rules.judge(call["name"], call["args"], tool or self.tool(call["name"]))
        return replace(found, allowed=DECISIONS) if found.kind == "ask" else found

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
        tool: BaseTool | None = None,
    ) -> str:
        """Say why an edit can't be taken: it is evaluated as the call it becomes.

        Args:
            original: The call that was asked about.
            edited: The name and arguments it shall have.
            make_request: Makes the request a `when` function is given, for the edited call.
            same_tool: Whether the edit may change the arguments only. Default False.
            tool: The tool of the original call, where it may be unknown here. Default None.

        Returns:
            The reason, or an empty text where the edit is fine.
        """
        name = edited["name"]
        if name != original["name"]:
            problem = self._check_other_tool(original["name"], name, same_tool)
            if problem:
                return problem
        runs = (tool if name == original["name"] else None) or self.tool(name)
        problem = _check_arguments(runs, edited["args"])
        if problem:
            return f"{name!r} does not take these arguments: {problem}"
        by_rules = self.evaluate_rules(edited, runs)
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


def _check_arguments(tool: BaseTool | None, args: Any) -> str:
    """Say what a tool's schema has against arguments a person gave, or an empty text."""
    schema = None if tool is None else tool.tool_call_schema
    validate = getattr(schema, "model_validate", None) or getattr(schema, "parse_obj", None)
    if validate is None:  # a JSON schema, which the tool itself does not check either
        return ""
    try:
        validate(args)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in found)
    except ValueError as error:  # a model of pydantic v1
        return str(error)
    return ""
