"""One call of `create_react_agent`, and the plan for its rewrite that the rules fill in."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import libcst as cst

from agentkit.migrate.names import Use
from agentkit.migrate.options import Options
from agentkit.migrate.source import Source, origin_of

MIDDLEWARE = "langchain.agents.middleware"
AGENT_MODULE = "langchain.agents"


# What the methods that rules write call their own variables.
_LOCAL = {"self", "state", "runtime", "request", "handler", "structured", "messages"}


class Refused(Exception):  # noqa: N818 - a decision, not an error
    """A call has no exact rewrite and stays on the shim.

    Args:
        code: The rule that says so.
        reason: Why, in words for the mark in the file.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


@dataclass
class FunctionEdit:
    """A new head for a function of the user's that becomes middleware where it stands.

    Attributes:
        node: The function.
        decorator: The local name of the decorator to add.
        runtime: The parameter to append, or "" for none.
        dropped: The parameters that go.
        lines: The statements that the body starts with.
        request: The parameter to have instead of the state, or "" to keep the state.
        result: What it returns by now, if a middleware's prompt is annotated.
        returns: The new return expressions, by old one.
    """

    node: cst.FunctionDef
    decorator: str
    runtime: str = ""
    request: str = ""
    dropped: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    result: str = ""
    returns: dict[cst.BaseExpression, cst.BaseExpression] = field(default_factory=dict)


class AgentCall:
    """A call of `create_react_agent` and what is to become of it.

    Attributes:
        arguments: The call's arguments by keyword.
        replaced: New `(keyword, expression)` by the old keyword; None where the argument goes.
        middleware: The expressions that go into `middleware=[...]`.
        slot: The argument whose place `middleware=` takes, or "" for the end.
        before: Statements to put before the one that holds the call.
        after_import: Statements to put after the import of `create_react_agent`.
        functions: Functions of the user's to change in place.
        values: New expressions by old one, anywhere in the file.
        added: Arguments to add, by keyword.
        needs: Names to import, by module.
        states: State classes that the rewrite changes.
        codes: The rules that took part.
        node_names: Legacy node names and the new ones.
    """

    def __init__(
        self,
        source: Source,
        use: Use,
        node: cst.Call,
        taken: set[str],
        options: Options,
        imported: dict[str, str],
    ) -> None:
        self.source, self.use, self.node = source, use, node
        self.statement = source.statement(node)
        self.taken, self.options, self.apply = taken, options, options.apply
        self.imported = imported  # what the rewrite imports, by local name
        self.arguments: dict[str, cst.Arg] = {}
        self.replaced: dict[str, tuple[str, cst.BaseExpression] | None] = {}
        self.middleware: list[str] = []
        self.slot = ""
        self.before: list[str] = []
        self.after_import: list[str] = []
        self.functions: list[FunctionEdit] = []
        self.values: dict[cst.CSTNode, cst.BaseExpression] = {}
        self.added: dict[str, cst.BaseExpression] = {}
        self.needs: dict[str, dict[str, str]] = {}
        self.agent_module = AGENT_MODULE
        self.states: list[cst.ClassDef] = []
        self.codes: list[str] = ["AK002"]
        self.node_names: dict[str, str] = {"agent": "model"}
        self.llm_input = False
        self.prompt_state = "request.state"  # what a prompt function is given
        self.notes: list[tuple[str, str]] = []

    def value(self, keyword: str) -> cst.BaseExpression | None:
        """The expression given for an argument, None where it isn't given or is `None`."""
        argument = self.arguments.get(keyword)
        if argument is None or (isinstance(argument.value, cst.Name) and argument.value.value == "None"):
            return None
        return argument.value

    def code(self, keyword: str) -> str:
        """The source text given for an argument."""
        return self.source.code(self.arguments[keyword].value)

    def used(self, code: str) -> None:
        """Note that a rule took part."""
        if code not in self.codes:
            self.codes.append(code)

    def rename(self, keyword: str, new: str, value: cst.BaseExpression | None = None) -> None:
        """Give an argument another keyword, and another value where one is given."""
        self.replaced[keyword] = (new, value or self.arguments[keyword].value)

    def drop(self, keyword: str) -> None:
        """Leave an argument out."""
        self.replaced[keyword] = None

    def add_middleware(self, expression: str, slot: str) -> None:
        """Put one more into `middleware=[...]`, in the place of an argument that goes."""
        self.middleware.append(expression)
        if slot in self.arguments and slot not in self.replaced:
            if self.slot:
                self.replaced[slot] = None
            else:
                self.slot = slot

    def name(self, module: str, name: str) -> str:
        """The local name of something to import, other than any name the file has for another thing."""
        known = self.needs.setdefault(module, {})
        if name not in known:
            known[name] = self._local(module, name)
            self.imported[known[name]] = f"{module}.{name}"
        return known[name]

    def fresh(self, name: str) -> str:
        """A name that the file does not use yet; it is used from now on."""
        candidate, number = name, 2
        while candidate in self.taken:
            candidate, number = f"{name}_{number}", number + 1
        self.taken.add(candidate)
        return candidate

    def _local(self, module: str, name: str) -> str:
        root = module.partition(".")[0]
        other = f"{root}_{name}" if name[0].islower() else f"{root.capitalize()}{name}"
        for local in (name, other):
            origins = {origin_of(bound) for scope in self.source.scopes for bound in scope.names.get(local, ())}
            origins.add(self.imported.get(local, f"{module}.{name}"))
            if origins == {f"{module}.{name}"}:
                return local
        return self.fresh(other)

    def visible(self, expression: cst.BaseExpression) -> bool:
        """Whether every name of an expression is seen by functions put before the call's statement."""
        finder = _Names()
        expression.visit(finder)
        return all(self.source.visible_from(name, self.node) for name in finder.found)

    def changes_in_loop(self, expression: cst.CSTNode) -> bool:
        """Whether an expression gives something else in each turn of a loop that the call stands in.

        A class put before the call would see the last of them, whenever it looks.
        """
        around = itertools.takewhile(
            lambda outer: not isinstance(outer, (cst.FunctionDef, cst.Lambda, cst.ClassDef)),
            self.source.parents(self.node),
        )
        loops = [outer for outer in around if isinstance(outer, (cst.For, cst.While))]
        if isinstance(expression, cst.Lambda):  # its body is looked up late anyway
            parts = [p.default for p in expression.params.params if p.default is not None]
        else:
            parts = [expression] if isinstance(expression, cst.BaseExpression) else []
        finder = _Names()
        for part in parts:
            part.visit(finder)
        return any(
            self.source.inside(node, loop)
            for name in finder.found
            for assignment in self.source.assignments(name, self.node)
            if (node := getattr(assignment, "node", None)) is not None
            for loop in loops
        )

    def once(self, expression: cst.BaseExpression) -> bool:
        """Whether every name of an expression is bound once, so that a look at it from a method gives the same."""
        finder = _Names()
        expression.visit(finder)
        return not finder.found & _LOCAL and all(
            len(self.source.assignments(name, self.node)) < 2 for name in finder.found
        )

    def editable(self, function: cst.CSTNode) -> bool:
        """Whether a function can be changed where it stands: it serves this call alone.

        It must be a plain function (no method), stand after the import in the file, and be named
        once, in this call, and in no other file of the run.
        """
        if not isinstance(function, cst.FunctionDef) or self.source.scope(self.node).is_class:
            return False
        if not self.source.owns(function) or self.source.scope(function).is_class:
            return False
        statement = self.use.binding.statement
        if not self.source.is_global(statement) or self.source.line(function) < self.source.line(statement):
            return False
        named = self.options.named | self.source.dunder_all()
        if self.source.is_global(function) and named & {"*", function.name.value}:
            return False
        references = self.source.references(function)
        return len(references) == 1 and self.source.inside(references[0], self.node)


class _Names(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 - libcst's naming
        self.found.add(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> bool:  # noqa: N802
        node.value.visit(self)
        return False


def bind_arguments(call: AgentCall) -> None:
    """Sort a call's arguments by keyword.

    Raises:
        Refused: The call hides arguments behind `*` or `**`, or has more positional ones than today.
    """
    for place, argument in enumerate(call.node.args):
        if argument.star:
            raise Refused("AK002", f"arguments are hidden in {argument.star}{call.source.code(argument.value)}")
        if argument.keyword is not None:
            call.arguments[argument.keyword.value] = argument
        elif place < 2:
            call.arguments[("model", "tools")[place]] = argument
        else:
            raise Refused("AK002", "a third positional argument: today's arguments are named")


def in_function(source: Source, node: cst.CSTNode) -> bool:
    """Whether a node stands in a function."""
    return isinstance(source.scope(node).node, (cst.FunctionDef, cst.Lambda))
