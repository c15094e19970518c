"""One parsed file, and the questions that rules ask about it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import TypeVar

import libcst as cst
from libcst.metadata import (
    Assignment,
    BaseAssignment,
    ClassScope,
    GlobalScope,
    ImportAssignment,
    MetadataWrapper,
    ParentNodeProvider,
    PositionProvider,
    Scope,
    ScopeProvider,
)

Node = TypeVar("Node", bound=cst.CSTNode)
Function = cst.FunctionDef | cst.Lambda


class Source:
    """A parsed file with its scopes, parents and positions."""

    def __init__(self, module: cst.Module) -> None:
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self.module = wrapper.module
        wrapper.resolve_many((ParentNodeProvider, PositionProvider, ScopeProvider))  # in one walk
        self._parents = wrapper.resolve(ParentNodeProvider)
        self._positions = wrapper.resolve(PositionProvider)
        self._scopes = wrapper.resolve(ScopeProvider)
        self.scopes: list[Scope] = list(dict.fromkeys(s for s in self._scopes.values() if s is not None))
        self._nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        for node in self._parents:
            self._nodes.setdefault(type(node), []).append(node)

    def all(self, kind: type[Node]) -> list[Node]:
        """Every node of exactly one type."""
        return list(self._nodes.get(kind, []))  # type: ignore[arg-type]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around a node."""
        return self._parents.get(node)

    def parents(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, nearest first."""
        parent = self.parent(node)
        while parent is not None:
            yield parent
            parent = self.parent(parent)

    def inside(self, node: cst.CSTNode, outer: cst.CSTNode) -> bool:
        """Whether a node is, or is within, another."""
        return node is outer or any(parent is outer for parent in self.parents(node))

    def line(self, node: cst.CSTNode) -> int:
        """The line a node starts on."""
        return int(self._positions[node].start.line)

    def position(self, node: cst.CSTNode) -> tuple[int, int]:
        """The line and column a node starts at."""
        start = self._positions[node].start
        return int(start.line), int(start.column)

    def code(self, node: cst.CSTNode) -> str:
        """A node's source text."""
        return self.module.code_for_node(node).strip()

    def scope(self, node: cst.CSTNode) -> Scope | None:
        """The scope a node is in."""
        for candidate in (node, *self.parents(node)):
            scope = self._scopes.get(candidate)
            if scope is not None:
                return scope
        return None

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The nearest statement around a node before which another statement may stand."""
        child = node
        for parent in self.parents(node):
            if isinstance(parent, (cst.Module, cst.IndentedBlock)):
                return child
            child = parent
        return child

    def assignments(self, name: cst.Name | str, at: cst.CSTNode | None = None) -> list[BaseAssignment]:
        """What a name may be bound to where it stands."""
        text, place = (name, at) if isinstance(name, str) else (name.value, at or name)
        scope = self.scope(place) if place is not None else None
        return [] if scope is None else [a for a in scope[text] if isinstance(a, Assignment)]

    def binding(self, name: cst.BaseExpression) -> BaseAssignment | None:
        """The one binding of a name; None where it has none, several, or is no name."""
        found = self.assignments(name) if isinstance(name, cst.Name) else []
        return found[0] if len(found) == 1 else None

    def value(self, expression: cst.BaseExpression) -> cst.CSTNode:
        """Follow a name, or `self.name`, to the one thing it stands for.

        Returns:
            A function, class, parameter, import alias or expression; the expression itself where it
            names nothing, more than one thing, or something that can't be followed.
        """
        if isinstance(expression, cst.Attribute):
            return self._member(expression) or expression
        binding = self.binding(expression)
        if binding is None:
            return expression
        followed = self._bound(binding)
        if isinstance(followed, cst.Name) and followed is not expression:
            return self.value(followed)
        return followed or expression

    def values(self, expression: cst.BaseExpression) -> list[cst.CSTNode]:
        """Everything that a name may stand for, where it is bound more than once; see `value`."""
        found = self.assignments(expression) if isinstance(expression, cst.Name) else []
        if len(found) < 2:
            return [self.value(expression)]
        return [self._bound(binding) or expression for binding in found]

    def _bound(self, binding: BaseAssignment) -> cst.CSTNode | None:
        node = getattr(binding, "node", None)
        if isinstance(binding, ImportAssignment) or isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Param)):
            return node
        parent = self.parent(node) if node is not None else None
        if isinstance(parent, cst.Param):
            return parent
        if isinstance(parent, cst.AssignTarget) and parent.target is node:
            outer = self.parent(parent)
            return outer.value if isinstance(outer, cst.Assign) else None
        if isinstance(parent, cst.AnnAssign) and parent.value is not None:
            return parent.value
        return None

    def _member(self, attribute: cst.Attribute) -> cst.CSTNode | None:
        """What `self.name` is: a method, or the one value that is assigned to it in the class."""
        owner = self.enclosing(attribute, cst.ClassDef)
        if owner is None or not isinstance(attribute.value, cst.Name) or attribute.value.value != "self":
            return None
        name = attribute.attr.value
        found: list[cst.CSTNode] = [
            node
            for node in self.all(cst.FunctionDef)
            if node.name.value == name and self.enclosing(node, cst.ClassDef) is owner
        ]
        for assign in self.all(cst.Assign):
            for target in assign.targets:
                if (
                    isinstance(target.target, cst.Attribute)
                    and self.code(target.target) == f"self.{name}"
                    and self.enclosing(assign, cst.ClassDef) is owner
                ):
                    value = assign.value
                    found.append(self.value(value) if isinstance(value, cst.Name) else value)
        return found[0] if len(found) == 1 else None

    def enclosing(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        """The nearest node of one type around a node."""
        return next((parent for parent in self.parents(node) if isinstance(parent, kind)), None)

    def imported(self, expression: cst.CSTNode | None) -> str:
        """The dotted origin of an imported name or of an attribute of one; "" for anything else."""
        if isinstance(expression, (cst.Name, cst.Attribute)):
            scope = self.scope(expression)
            names = scope.get_qualified_names_for(expression) if scope else ()
            origins = [n.name for n in names if n.source.name == "IMPORT"]
            return origins[0] if len(origins) == 1 else ""
        return ""

    def references(self, definition: cst.CSTNode) -> list[cst.CSTNode]:
        """Every node that refers to a function or class of this file."""
        scope = self.scope(self.parent(definition) or definition)
        name = getattr(getattr(definition, "name", None), "value", "")
        return [
            access.node
            for assignment in (scope[name] if scope is not None and name else ())
            if getattr(assignment, "node", None) is definition
            for access in assignment.references
        ]

    def visible_from(self, name: str, call: cst.CSTNode) -> bool:
        """Whether code put before a call's statement, in a function of its own, still sees a name."""
        found = self.assignments(name, call)
        statement = self.statement(call)
        return not any(
            isinstance(assignment.scope, ClassScope) or self.inside(getattr(assignment, "node", statement), statement)
            for assignment in found
        )

    def words(self) -> set[str]:
        """Every name in the file, those of attributes and keyword arguments aside."""
        return {
            name.value
            for name in self.all(cst.Name)
            if not (isinstance(parent := self.parent(name), cst.Attribute) and parent.attr is name)
            and not (isinstance(parent, cst.Arg) and parent.keyword is name)
        }

    def is_global(self, node: cst.CSTNode) -> bool:
        """Whether a statement stands in no function or class."""
        return isinstance(self.scope(node), GlobalScope)


def parse(text: str) -> cst.Module:
    """Parse a text, after a check that it is not nested so deeply that libcst's parser would crash.

    Raises:
        ValueError: It is.
        libcst.ParserSyntaxError: It is no Python that libcst can read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            tree = compile(text, "<text>", "exec", flags, dont_inherit=True)
        deep = _deeper_than(tree, 800)
    except SyntaxError as error:
        # Perhaps newer syntax than this Python's; libcst has the last word.
        deep = "too many nested" in str(error) or "too many levels" in str(error)
    except (RecursionError, MemoryError):
        deep = True
    if deep:
        raise ValueError("nested too deeply")
    return cst.parse_module(text)


def _deeper_than(tree: ast.AST, limit: int) -> bool:
    level = [tree]
    for _ in range(limit):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def dotted(node: cst.BaseExpression | None) -> str:
    """The text of a dotted name; "" for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def text_of(node: cst.CSTNode | None) -> str | None:
    """The value of a plain string literal; None for anything else."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None
