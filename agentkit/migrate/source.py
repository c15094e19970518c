"""One parsed file, and the questions that rules ask about it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from agentkit.migrate.scopes import Assignment, Scope, Scopes

Node = TypeVar("Node", bound=cst.CSTNode)
Function = cst.FunctionDef | cst.Lambda


class Source:
    """A parsed file with its scopes, parents and positions."""

    def __init__(self, module: cst.Module, starts: Sequence[int] = ()) -> None:
        self.module = module
        # The files of the run by dotted name, as each file that was followed into sees them.
        self.files: dict[cst.CSTNode, Callable[[str], Source | None]] = {}
        scopes = Scopes(module)
        self.scopes, self._scope, self._parents = scopes.all, scopes.of, scopes.parents
        self._nodes, self.order = {cst.ensure_type(module, cst.Module): scopes.nodes}, scopes.order
        # The line of each top-level statement, where the parser told; else all positions are worked out.
        self._starts: dict[cst.CSTNode, int] = (
            dict(zip(module.body, starts, strict=True)) if len(starts) == len(module.body) else {}
        )
        self._lines: dict[cst.CSTNode, Mapping[cst.CSTNode, CodeRange]] = {}

    def all(self, kind: type[Node], at: cst.CSTNode | None = None) -> list[Node]:
        """Every node of exactly one type, in this file or in that of another node."""
        return list(self._nodes[self._root(at or self.module)].get(kind, []))  # type: ignore[arg-type]

    def owns(self, node: cst.CSTNode) -> bool:
        """Whether a node is of this file, and of no other that was followed into."""
        return node in self.order

    def _root(self, node: cst.CSTNode) -> cst.Module:
        scope = self._scope[node]
        while scope.parent is not None:
            scope = scope.parent
        return cst.ensure_type(scope.node, cst.Module)

    def elsewhere(self, expression: cst.CSTNode) -> list[Assignment]:
        """What an imported name, or an attribute of an imported module, is bound to in its own file of the run."""
        origin = self.imported(expression)
        find = self.files.get(self._root(expression)) if origin else None
        name = origin.rpartition(".")[2]
        module = origin.removesuffix(name)
        other = find(module[:-1] if module.strip(".") else module) if find is not None else None
        if other is None:
            return []
        if other.module not in self._nodes:
            self._scope, self._parents = {**self._scope, **other._scope}, {**self._parents, **other._parents}
            self._nodes |= other._nodes
            self.files |= other.files
        found = other.scopes[0].names.get(name, [])
        passed_on = [bound for bound in found if bound.alias is not None]
        for bound in passed_on:
            inner = bound.alias.asname.name if bound.alias.asname is not None else bound.alias.name  # type: ignore[union-attr]
            found = [*(b for b in found if b is not bound), *self.elsewhere(inner)]
        return found

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
        top = next((n for n in (node, *self.parents(node)) if n in self._starts), self.module)
        if top not in self._lines:
            whole = isinstance(top, cst.Module)
            module = self.module if whole else self.module.with_changes(header=[], body=[top], footer=[])
            positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
            self._lines[top] = positions
        start = int(self._lines[top][node].start.line)
        return start if top is self.module else start - int(self._lines[top][top].start.line) + self._starts[top]

    def code(self, node: cst.CSTNode) -> str:
        """A node's source text."""
        return self.module.code_for_node(node).strip()

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope a node is in."""
        return self._scope[node]

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The nearest statement around a node before which another statement may stand."""
        child = node
        for parent in self.parents(node):
            if isinstance(parent, (cst.Module, cst.IndentedBlock)):
                return child
            child = parent
        return child

    def assignments(self, name: cst.Name | str, at: cst.CSTNode | None = None) -> list[Assignment]:
        """What a name may be bound to where it stands."""
        text, place = (name, at) if isinstance(name, str) else (name.value, at or name)
        return self._scope[place].find(text) if place is not None and place in self._scope else []

    def binding(self, name: cst.BaseExpression) -> Assignment | None:
        """The one binding of a name; None where it has none, several, or is no name."""
        found = self.assignments(name) if isinstance(name, cst.Name) else []
        if len(found) > 1 and all(self._straight(bound, name) for bound in found):
            before = [bound for bound in found if self.order[bound.node] < self.order[name]]
            return max(before, key=lambda bound: self.order[bound.node], default=None)
        return found[0] if len(found) == 1 else None

    def _straight(self, bound: Assignment, name: cst.CSTNode) -> bool:
        """Whether a binding always runs, and either before or after the place where its name stands."""
        statement = self.statement(bound.node)
        block = (
            bound.scope.node if isinstance(bound.scope.node, cst.Module) else getattr(bound.scope.node, "body", None)
        )
        return (
            bound.scope is self._scope[name]
            and self.parent(statement) is block
            and name in self.order
            and not self.inside(name, statement)
        )

    def value(self, expression: cst.BaseExpression) -> cst.CSTNode:
        """Follow a name, or `self.name`, to the one thing it stands for.

        Returns:
            A function, class, parameter, import alias or expression; the expression itself where it
            names nothing, more than one thing, or something that can't be followed.
        """
        if isinstance(expression, cst.Attribute) and (member := self._member(expression)) is not None:
            return member
        binding = self.binding(expression)
        if binding is None or binding.alias is not None:
            found = self.elsewhere(expression)
            binding = found[0] if len(found) == 1 else binding
        if binding is None:
            return expression
        followed = self.bound(binding)
        if isinstance(followed, cst.Name) and followed is not expression:
            return self.value(followed)
        return followed or expression

    def bound(self, binding: Assignment) -> cst.CSTNode | None:
        """What one binding gives its name; None where that can't be seen."""
        node = binding.node
        if binding.alias is not None or isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Param)):
            return node
        parent = self.parent(node)
        if isinstance(parent, cst.AssignTarget) and parent.target is node:
            outer = self.parent(parent)
            return outer.value if isinstance(outer, cst.Assign) else None
        if isinstance(parent, cst.AnnAssign) and parent.value is not None:
            return parent.value
        return None

    def _member(self, attribute: cst.Attribute) -> cst.CSTNode | None:
        """What `self.name` is: a method, or the one value that is assigned to it in the class."""
        if not isinstance(attribute.value, cst.Name) or attribute.value.value != "self":
            return None
        found = self.members(attribute)
        only = found[0] if len(found) == 1 else None
        holder = self.parent(only) if only is not None else None
        if isinstance(holder, cst.AnnAssign) and isinstance(holder.target, cst.Name):
            return None  # the default of a field, which an object may have another value for
        return self.value(only) if isinstance(only, cst.Name) else only

    def members(self, attribute: cst.Attribute) -> list[cst.CSTNode]:
        """What `self.name`, `cls.name` or `Class.name` may be: methods, and values assigned in the class.

        Classes of the file that the class is based on, or that are based on it, count too.
        """
        if not isinstance(attribute.value, cst.Name):
            return []
        inside = attribute.value.value in {"self", "cls"}
        owner = self.enclosing(attribute, cst.ClassDef) if inside else self._class_of(attribute.value)
        if not isinstance(owner, cst.ClassDef):
            return []
        name, family = attribute.attr.value, self._family(owner)
        found: list[cst.CSTNode] = [
            node
            for node in self.all(cst.FunctionDef, owner)
            if node.name.value == name and self.enclosing(node, cst.ClassDef) in family
        ]
        outside = {f"{node.name.value}.{name}" for node in family}
        for assign, target, value in self._assigned(owner):
            of_self = dotted(target) in {f"self.{name}", f"cls.{name}"} or (
                dotted(target) == name and self.scope(assign).is_class
            )
            if dotted(target) in outside or (of_self and self.enclosing(assign, cst.ClassDef) in family):
                found.append(value)
        return found

    def _class_of(self, name: cst.BaseExpression) -> cst.CSTNode | None:
        """The class that a name means, or that the object it means is made of or annotated with."""
        found: cst.CSTNode | None = self.value(name)
        if isinstance(found, cst.Call):
            found = self.value(found.func)
        elif isinstance(found, cst.Param) and found.annotation is not None:
            found = self.value(found.annotation.annotation)
        return found

    def annotation(self, attribute: cst.Attribute) -> cst.Annotation | None:
        """How the class of `self.name` or `object.name` annotates the name."""
        inside = dotted(attribute.value) in {"self", "cls"}
        owner = self.enclosing(attribute, cst.ClassDef) if inside else self._class_of(attribute.value)
        wanted = {attribute.attr.value, f"self.{attribute.attr.value}"}
        for node in self.all(cst.AnnAssign, owner) if isinstance(owner, cst.ClassDef) else ():
            if dotted(node.target) in wanted and self.enclosing(node, cst.ClassDef) is owner:
                return node.annotation
        return None

    def _family(self, owner: cst.ClassDef) -> list[cst.ClassDef]:
        """A class, the classes of this file that it is based on, and those that are based on it."""
        bases = {node: [self.value(base.value) for base in node.bases] for node in self.all(cst.ClassDef, owner)}
        family, size = [owner], 0
        while size != len(family):
            size = len(family)
            family += [
                node
                for node in bases
                if node not in family
                and (any(base in family for base in bases[node]) or any(node in bases[known] for known in family))
            ]
        return family

    def _assigned(self, at: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression, cst.BaseExpression]]:
        for assign in self.all(cst.Assign, at):
            for target in assign.targets:
                yield assign, target.target, assign.value
        for annotated in self.all(cst.AnnAssign, at):
            if annotated.value is not None:
                yield annotated, annotated.target, annotated.value

    def enclosing(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        """The nearest node of one type around a node."""
        return next((parent for parent in self.parents(node) if isinstance(parent, kind)), None)

    def imported(self, expression: cst.CSTNode | None) -> str:
        """The dotted origin of an imported name or of an attribute of one; "" for anything else."""
        names = dotted(expression) if isinstance(expression, (cst.Name, cst.Attribute)) else ""
        if not names or expression not in self._scope:
            return ""
        first, _, rest = names.partition(".")
        origins = {origin_of(assignment) for assignment in self.scope(expression).find(first)}
        origin = origins.pop() if len(origins) == 1 else ""
        return f"{origin}.{rest}" if origin and rest else origin

    def references(self, definition: cst.CSTNode) -> list[cst.CSTNode]:
        """Every node that refers to a function or class of this file."""
        name = getattr(getattr(definition, "name", None), "value", "")
        return [
            node
            for assignment in self.scope(definition).names.get(name, ())
            if assignment.node is definition
            for node in assignment.references
            if not isinstance(node, cst.Name) or self.binding(node) in {assignment, None}
        ]

    def visible_from(self, name: str, call: cst.CSTNode) -> bool:
        """Whether code put before a call's statement, in a function of its own, still sees a name."""
        found = self.assignments(name, call)
        statement = self.statement(call)
        return not any(assignment.scope.is_class or self.inside(assignment.node, statement) for assignment in found)

    def words(self) -> set[str]:
        """Every name in the file, those of attributes and keyword arguments aside."""
        return {
            name.value
            for name in self.all(cst.Name)
            if not (isinstance(parent := self.parent(name), cst.Attribute) and parent.attr is name)
            and not (isinstance(parent, cst.Arg) and parent.keyword is name)
        }

    def dunder_all(self) -> set[str]:
        """The names in `__all__`."""
        return {
            text
            for assign in self.all(cst.Assign)
            if any(dotted(target.target) == "__all__" for target in assign.targets)
            and isinstance(assign.value, (cst.List, cst.Tuple))
            for element in assign.value.elements
            if (text := text_of(element.value)) is not None
        }

    def is_global(self, node: cst.CSTNode) -> bool:
        """Whether a statement stands in no function or class."""
        return self.scope(node) is self.scopes[0]


def read(text: str) -> Source:
    """Parse a text; see `parse`."""
    module, tree = _parse(text)
    starts: list[int] = []
    if tree is not None:
        rest = iter(tree.body)
        for statement in module.body:
            size = len(statement.body) if isinstance(statement, cst.SimpleStatementLine) else 1
            first = [node.lineno for _, node in zip(range(size), rest, strict=False)]
            starts += first[:1]
    return Source(module, starts)


def parse(text: str) -> cst.Module:
    """Parse a text, after a check that it is not nested so deeply that libcst's parser would crash.

    Raises:
        ValueError: It is.
        libcst.ParserSyntaxError: It is no Python that libcst can read.
    """
    return _parse(text)[0]


def _parse(text: str) -> tuple[cst.Module, ast.Module | None]:
    tree: ast.Module | None = None
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
    return cst.parse_module(text), tree


def _deeper_than(tree: ast.AST, limit: int) -> bool:
    level = [tree]
    for _ in range(limit):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def origin_of(assignment: Assignment) -> str:
    """The dotted origin of an imported name; "" for another one."""
    statement, alias = assignment.node, assignment.alias
    if alias is None:
        return ""
    if isinstance(statement, cst.ImportFrom):
        module = f"{dotted(statement.module)}." if statement.module is not None else ""
        return "." * len(statement.relative) + module + alias.evaluated_name
    return alias.evaluated_name if alias.asname is not None else assignment.name


def dotted(node: cst.BaseExpression | None) -> str:
    """The text of a dotted name; "" for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr.value}" if left else ""
    return ""


def key_of(node: cst.CSTNode) -> str | None:
    """The text that an item is looked up by; None where it is looked up otherwise."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        return text_of(node.slice[0].slice.value)
    return None


def text_of(node: cst.CSTNode | None) -> str | None:
    """The value of a plain string literal; None for anything else."""
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None
