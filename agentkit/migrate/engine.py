"""Rewrite one source text: plan every call, decide what stays, then edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from agentkit._moves import GONE
from agentkit.migrate import imports
from agentkit.migrate.calls import AGENT_MODULE, AgentCall, Refused, bind_arguments
from agentkit.migrate.edit import Edits, apply_edits, call_edit, function_edit
from agentkit.migrate.names import AGENTS, Binding, Use, bindings, stars
from agentkit.migrate.options import Options
from agentkit.migrate.rules import (
    ak001_imports,
    ak002_create_agent,
    ak003_prompt_text,
    ak004_prompt_function,
    ak005_pre_model_hook,
    ak006_post_model_hook,
    ak007_response_format,
    ak008_model_function,
    ak009_bound_model,
    ak010_state_schema,
    ak013_tool_node,
    ak014_static_interrupts,
    ak015_config_schema,
    ak016_node_names,
    ak017_historical,
    ak018_loop,
)
from agentkit.migrate.source import Source, read

_VALIDATION = "ValidationNode has no exact rewrite: see ValidationMiddleware"
# What classes that are put before a call look up when they run, by argument.
_CAPTURED = {
    "model": ("AK007", "AK008", "AK009"),
    "prompt": ("AK004",),
    "pre_model_hook": ("AK005",),
    "post_model_hook": ("AK006",),
    "response_format": ("AK007",),
}


@dataclass(frozen=True)
class Change:
    """One rewrite: the rule and the line it was made on."""

    code: str
    line: int


@dataclass(frozen=True)
class Left:
    """One thing that stays on the shim: the rule that says so, the line, and the reason."""

    code: str
    line: int
    reason: str


@dataclass
class Result:
    """What became of a source text.

    Attributes:
        source: The new text; the old one where nothing changed.
        changes: What was rewritten.
        left: What stays on the shim and why.
        node_names: The legacy node names of the rewritten agents, and the new ones.
        notes: What was rewritten and may behave differently, marked in the text.
    """

    source: str
    changes: list[Change] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    node_names: dict[str, str] = field(default_factory=dict)
    notes: list[Left] = field(default_factory=list)


def migrate_source(text: str, options: Options | None = None) -> Result:
    """Rewrite the legacy code of one Python source text.

    Args:
        text: The source.
        options: What to rewrite. Defaults to everything that is exact, to `create_agent`.

    Returns:
        The new text, with what was rewritten and what was left. A text without legacy code comes back
        as it is.

    Raises:
        libcst.ParserSyntaxError: The text is no Python that libcst can read.
    """
    options = options or Options()
    source = read(text)
    if options.files is not None:
        source.files[source.module] = options.files
    return migrate_module(source, options, text)


def migrate_module(source: Source, options: Options, text: str) -> Result:
    """Rewrite a parsed text; see `migrate_source`."""
    found, star_imports = bindings(source), stars(source)
    if not found and not star_imports:
        return Result(text)
    plan = _Plan(source, options, found, star_imports)
    if options.to == "create_agent":
        plan.decide()
    edits = plan.edits()
    new = apply_edits(source, edits)
    changes = sorted(plan.changes, key=lambda change: (change.line, change.code))
    if new == text:
        changes = []
    names = {old: name for call in plan.calls for old, name in call.node_names.items()}
    return Result(new, changes, sorted(plan.left, key=lambda left: left.line), names, plan.notes)


class _Plan:
    """The decisions about one file."""

    def __init__(
        self,
        source: Source,
        options: Options,
        found: Sequence[Binding],
        star_imports: Sequence[cst.ImportFrom],
    ) -> None:
        self.source, self.options, self.found, self.stars = source, options, list(found), star_imports
        self.calls: list[AgentCall] = []
        self.classes: list[cst.ClassDef] = []
        self.imported: dict[str, str] = {}
        self.renamed: dict[cst.CSTNode, cst.BaseExpression] = {}
        self.left: list[Left] = []
        self.changes: list[Change] = []
        self.notes: list[Left] = []
        self.guards: list[Use] = []
        self.marks: dict[cst.CSTNode, list[str]] = {}
        self.marked: set[cst.CSTNode] = set()

    # --- which calls are rewritten ---

    def decide(self) -> None:
        """Plan every call, then drop plans until what is left holds together."""
        taken = self.source.words()
        for use in self._agent_uses():
            self._plan_call(use, taken)
        reason = self.options.patched or ""
        if reason:
            self._leave_all("AK001", reason)
        if reason := ak018_loop.in_file(self.source, self.options):
            self._leave_all("AK018", reason)
        while self._drop_states():
            pass
        names = ak016_node_names.NodeNames(self.source, self.calls)
        if names.unclear or (names.renamed and "AK016" in self.options.skip):
            code = names.shown((names.unclear or list(names.renamed))[0])
            self._leave_all("AK016", ak016_node_names.REASON.format(code=code))
        else:
            self.renamed = names.renamed
        self.classes = [node for call in self.calls for node in call.states]
        self._rename_guards()
        self._mark_the_rest()

    def _agent_uses(self) -> list[Use]:
        """The uses of the agent function: one for each place, of the import that is nearest before it."""
        uses: dict[cst.CSTNode, Use] = {}
        for binding in self.found:
            for use in binding.uses:
                before = self.source.order[binding.statement] <= self.source.order[use.node]
                if use.name in AGENTS and (before or use.node not in uses):
                    uses[use.node] = use
        return list(uses.values())

    def _plan_call(self, use: Use, taken: set[str]) -> None:
        parent = self.source.parent(use.node)
        if _is_guard(self.source, use.node):
            self.guards.append(use)
            return
        if not isinstance(parent, cst.Call) or parent.func is not use.node:
            if not isinstance(use.node, cst.SimpleString):
                self._leave(use.node, "AK002", ak002_create_agent.VALUE_REASON)
            return
        call = AgentCall(self.source, use, parent, taken, self.options, self.imported)
        try:
            if not self._bound_by_imports(use):
                raise Refused("AK001", f"{use.binding.local} is bound more than once")
            self._run_rules(call)
        except Refused as refused:
            self._leave(parent, refused.code, refused.reason)
            return
        skipped = self.options.skip.intersection(call.codes)
        if skipped:
            self._leave(parent, min(skipped), "", mark=False)
            return
        self.calls.append(call)

    def _bound_by_imports(self, use: Use) -> bool:
        """Whether a name is only ever bound by imports of the legacy name that always run, or fails to `None`."""
        found = self.source.assignments(use.binding.local.split(".")[0], use.node)
        if len(found) < 2 or not use.binding.name:
            return True
        fallbacks = self._fallbacks(use)
        same = [b for b in self.found if b.local == use.binding.local and b.name in AGENTS]
        always = [
            b
            for b in same
            if self.source.is_global(b.statement)
            and (
                isinstance(self.source.parent(self.source.statement(b.statement)), cst.Module)
                or (fallbacks and self.source.enclosing(b.statement, cst.Try) is not None)
            )
        ]
        return len(always) + len(fallbacks) == len(found)

    def _fallbacks(self, use: Use) -> list[cst.CSTNode]:
        """The names in `except ImportError: create_react_agent = None`."""
        found = self.source.assignments(use.binding.local.split(".")[0], use.node)
        nodes = [bound.node for bound in found if self.source.enclosing(bound.node, cst.ExceptHandler) is not None]
        return [node for node in nodes if self.source.code(self.source.statement(node)).endswith("= None")]

    def _rename_guards(self) -> None:
        """`if create_react_agent is None` asks for the new name, where no call needs the old one."""
        for use in [*self.guards, *(call.use for call in self.calls)]:
            calls = [call for call in self.calls if call.use.binding is use.binding]
            places = [use.node] if use in self.guards else self._fallbacks(use)
            if not places:
                continue
            kept = {other.node for other in use.binding.uses} - {call.use.node for call in calls}
            kept -= {guard.node for guard in self.guards}
            if calls and not kept:
                new = cst.Name(calls[0].name(calls[0].agent_module, "create_agent"))
                calls[0].values |= dict.fromkeys(places, new)

    def _run_rules(self, call: AgentCall) -> None:
        bind_arguments(call)
        ak002_create_agent.check(call)
        ak018_loop.apply(call)
        ak018_loop.tools(call)
        ak005_pre_model_hook.apply(call)
        if not ak008_model_function.apply(call):
            ak009_bound_model.apply(call)
        ak013_tool_node.apply(call)
        ak017_historical.apply(call)
        if call.value("prompt") is not None and not ak003_prompt_text.apply(call):
            ak004_prompt_function.apply(call)
        ak006_post_model_hook.apply(call)
        ak007_response_format.apply(call)
        ak010_state_schema.apply(call, self.found)
        ak015_config_schema.apply(call)
        ak014_static_interrupts.apply(call)
        if call.before:
            self._check_loops(call)

    def _check_loops(self, call: AgentCall) -> None:
        edited = [function.node for function in call.functions]
        for keyword, codes in _CAPTURED.items():
            code = next((code for code in codes if code in call.codes), "")
            value = call.value(keyword) if code else None
            if value is not None and self.source.value(value) not in edited and call.changes_in_loop(value):
                raise Refused(code, f"{keyword}= changes in a loop, and middleware would see the last value")

    def _leave_all(self, code: str, reason: str) -> None:
        for call in self.calls:
            self._leave(call.node, code, reason)
        self.calls = []

    def _drop_states(self) -> bool:
        """Leave the calls whose state classes can't move; say whether there were any."""
        classes = [node for call in self.calls for node in call.states]
        stuck = [node for node in classes if not self._movable(self.source.references(node), classes)]
        for binding in self.found:
            users = [use.node for use in binding.uses if use.name in ak010_state_schema.TYPED_STATES]
            if binding.name and not self._movable(users, classes):
                stuck += [n for n in classes if any(self.source.inside(user, n) for user in users)]
        for call in self.calls:
            if any(node in stuck for node in call.states):
                name = call.states[0].name.value
                self._leave(call.node, "AK010", f"{name}, or its base, is used for more than this agent")
                self.calls.remove(call)
                return True
        return False

    def _movable(self, users: Sequence[cst.CSTNode], classes: list[cst.ClassDef]) -> bool:
        return all(ak010_state_schema.movable(self.source, user, classes, self.calls) for user in users)

    # --- marks ---

    def _leave(self, node: cst.CSTNode, code: str, reason: str, *, mark: bool = True) -> None:
        reason = " ".join(reason.split())
        self.left.append(Left(code, self.source.line(node), reason or f"{code} is switched off"))
        if mark:
            self.mark(node, code, reason)

    def _note(self, node: cst.CSTNode, code: str, reason: str) -> None:
        self.notes.append(Left(code, self.source.line(node), reason))
        self.mark(node, code, reason)

    def mark(self, node: cst.CSTNode, code: str, reason: str) -> None:
        """Put one mark before the statement around a node."""
        line = f"# TODO(agentkit): {code} {reason}"
        lines = self.marks.setdefault(self.source.statement(node), [])
        if line not in lines:
            lines.append(line)

    def _mark_the_rest(self) -> None:
        self.marked = {self.source.statement(use.node) for use in self._agent_uses()}
        for call in self.calls:
            for code, reason in call.notes:
                self._note(call.node, code, reason)
        limit = ak018_loop.limit(self.source) if "AK018" not in self.options.apply else None
        if self.calls and limit is not None:
            self._note(limit, "AK018", ak018_loop.LIMIT)
        elif self.calls and self.options.limit:
            self._note(self.calls[0].node, "AK018", self.options.limit)
        for binding in self.found:
            for use in binding.uses:
                parent = self.source.parent(use.node)
                if use.name == "ValidationNode" and isinstance(parent, cst.Call) and parent.func is use.node:
                    self.marked.add(self.source.statement(parent))
                    self._leave(parent, "AK012", _VALIDATION)
            if binding.name in GONE and binding.name not in AGENTS:
                self.marked.add(self.source.statement(binding.statement))
                self._leave(binding.statement, "AK017", f"{binding.name} is gone: {GONE[binding.name]}")
        for star in self.stars:
            self.marked.add(self.source.statement(star))
            self._leave(star, "AK001", ak001_imports.STAR_REASON)

    # --- edits ---

    def edits(self) -> Edits:
        """Turn the decisions into edits of the tree."""
        edits = Edits(marks=self.marks, marked=self.marked)
        for call in sorted(self.calls, key=lambda call: call.agent_module != AGENT_MODULE):
            call.name(call.agent_module, "create_agent")  # langchain's has the name where both are needed
        for call in self.calls:
            edits.nodes[call.node] = call_edit(call)
            edits.before.setdefault(call.statement, []).extend(call.before)
            for function in call.functions:
                edits.nodes[function.node] = function_edit(function)
                for old, new in function.returns.items():
                    edits.values[old] = new
            edits.values |= call.values
            for code in call.codes:
                self.changes.append(Change(code, self.source.line(call.node)))
        edits.values |= self.renamed
        self.changes += [Change("AK016", self.source.line(node)) for node in self.renamed]
        for node in dict.fromkeys(self.classes):
            edits.remove.update(ak010_state_schema.managed_fields(node))
        imports.plan(self.source, self.options, self.found, self.calls, self.classes, edits)
        self.changes += [Change("AK001", self.source.line(node)) for node in edits.imports]
        return edits


def _is_guard(source: Source, node: cst.BaseExpression) -> bool:
    """Whether a name is only asked whether it is there."""
    parent = source.parent(node)
    if isinstance(parent, cst.Comparison):
        return {source.code(target.comparator) for target in parent.comparisons} == {"None"}
    return (isinstance(parent, (cst.If, cst.IfExp)) and parent.test is node) or (
        isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)
    )


__all__ = ["Change", "Left", "Options", "Result", "migrate_module", "migrate_source"]
