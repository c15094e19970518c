"""Parents and scopes of a libcst tree, in one walk.

libcst's own providers rebuild the tree node by node while they visit it, which takes five times as long
as all the rest of a rewrite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields

import libcst as cst

# What holds no name: layout, and punctuation.
_LAYOUT = re.compile(
    r"whitespace|lines|^last_line$|^[lr](par|brac)|^(relative|comma|semicolon|equal|dot|colon|(first|second)_colon|indent|header|footer"
    r"|newline|separator|asynchronous|operator|posonly_ind|encoding|default_indent|default_newline)$"
)
_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


@dataclass(eq=False)
class Assignment:
    """One binding of a name.

    Attributes:
        name: The name.
        scope: Where it is bound.
        node: A name or parameter, a definition, or an import statement.
        alias: The part of the import statement; None for any other binding.
        references: What reads the name: names, and strings that annotate.
    """

    name: str
    scope: Scope
    node: cst.CSTNode
    alias: cst.ImportAlias | None = None
    references: list[cst.CSTNode] = field(default_factory=list)


@dataclass(eq=False)
class Scope:
    """A module, class, function or comprehension.

    Attributes:
        node: What opens it.
        parent: The scope around it; None for the module.
        names: Its bindings, by name.
    """

    node: cst.CSTNode
    parent: Scope | None = None
    names: dict[str, list[Assignment]] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)  # what `global` and `nonlocal` say

    @property
    def is_class(self) -> bool:
        """Whether it is the body of a class."""
        return isinstance(self.node, cst.ClassDef)

    def find(self, name: str) -> list[Assignment]:
        """What a name may be bound to here: the bindings of the nearest scope that has any."""
        scope: Scope | None = self.elsewhere.get(name, self)
        while scope is not None:
            if name in scope.names and (scope is self or not scope.is_class):
                return scope.names[name]
            scope = scope.parent
        return []


class Scopes:
    """The scopes, parents and nodes of a tree.

    Attributes:
        all: Every scope; the module's first.
        of: The scope that each node stands in.
        parents: The node around each node.
        nodes: Every node by type, in the order of the source.
        order: The place of each node in the source.
    """

    def __init__(self, module: cst.Module) -> None:
        self.all = [Scope(module)]
        self.of: dict[cst.CSTNode, Scope] = {}
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.nodes: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        self._loads: list[tuple[str, cst.CSTNode, Scope]] = []
        self._skipped: set[cst.CSTNode] = set()  # names that are no variables
        self._stored: set[cst.CSTNode] = set()
        self._own: dict[cst.CSTNode, Scope] = {}  # the scope of the function of each parameter
        self._walk(module, self.all[0])
        self.order = {node: place for place, node in enumerate(self.of)}
        for name, node, scope in self._loads:
            for assignment in scope.find(name):
                assignment.references.append(node)

    def _walk(self, module: cst.Module, top: Scope) -> None:
        stack: list[tuple[cst.CSTNode, Scope]] = [(module, top)]
        of, parents, nodes = self.of, self.parents, self.nodes
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            of[node] = scope
            nodes.setdefault(kind, []).append(node)
            visit = _VISITORS.get(kind)
            inner = visit(self, node, scope) if visit is not None else None
            for child in reversed(children(node)):
                parents[child] = node
                stack.append((child, inner(child) if inner is not None else scope))

    def bind(self, name: str, scope: Scope, node: cst.CSTNode, alias: cst.ImportAlias | None = None) -> None:
        """Note a binding."""
        target = scope.elsewhere.get(name, scope)
        target.names.setdefault(name, []).append(Assignment(name, target, node, alias))

    def open(self, node: cst.CSTNode, parent: Scope) -> Scope:
        """Note a new scope."""
        self.all.append(Scope(node, parent))
        return self.all[-1]

    # --- nodes that bind, open a scope, or hold names that are no variables ---

    def name(self, node: cst.Name, scope: Scope) -> None:
        """A name: it is bound, read, or no variable."""
        if node in self._skipped:
            return
        if node in self._stored:
            self.bind(node.value, scope, node)
        else:
            self._loads.append((node.value, node, scope))

    def text(self, node: cst.SimpleString, scope: Scope) -> None:
        """A string: where it annotates, the names in it are read."""
        parent: cst.CSTNode | None = node
        while parent is not None and isinstance(parent, cst.BaseExpression | cst.SubscriptElement | cst.Index):
            parent = self.parents.get(parent)
        if isinstance(parent, cst.Annotation) and isinstance(value := node.evaluated_value, str):
            self._loads.extend((name, node, scope) for name in dict.fromkeys(_NAME.findall(value)))

    def function(self, node: cst.FunctionDef, scope: Scope) -> Callable[[cst.CSTNode], Scope]:
        """A function: parameters and body have a scope of their own, the rest is read around it."""
        self.bind(node.name.value, scope, node)
        self._skipped.add(node.name)
        own = self.open(node, scope)
        self._globals(node.body, own)
        self._parameters(node.params, own)
        return lambda child: own if child is node.body else scope

    def lambda_(self, node: cst.Lambda, scope: Scope) -> Callable[[cst.CSTNode], Scope]:
        """A lambda."""
        own = self.open(node, scope)
        self._parameters(node.params, own)
        return lambda child: own if child is node.body else scope

    def class_(self, node: cst.ClassDef, scope: Scope) -> Callable[[cst.CSTNode], Scope]:
        """A class: its body has a scope of its own."""
        self.bind(node.name.value, scope, node)
        self._skipped.add(node.name)
        own = self.open(node, scope)
        return lambda child: own if child is node.body else scope

    def comprehension(self, node: cst.BaseComp, scope: Scope) -> Callable[[cst.CSTNode], Scope]:
        """A comprehension; what it goes over first is read around it, but that is no matter here."""
        own = self.open(node, scope)
        return lambda _child: own

    def _parameters(self, parameters: cst.Parameters, own: Scope) -> None:
        found = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]
        found += [p for p in (parameters.star_arg, parameters.star_kwarg) if isinstance(p, cst.Param)]
        for parameter in found:
            self._skipped.add(parameter.name)
            self._own[parameter] = own
            self.bind(parameter.name.value, own, parameter)

    def parameter(self, node: cst.Param, scope: Scope) -> Callable[[cst.CSTNode], Scope]:
        """A parameter: its name belongs to the function, its annotation and default to what is around."""
        own = self._own.get(node, scope)
        return lambda child: own if child is node.name else scope

    def _globals(self, body: cst.BaseSuite, own: Scope) -> None:
        """What a function says of its names before any of them is bound."""
        stack: list[cst.CSTNode] = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, cst.Global):
                own.elsewhere |= {item.name.value: self.all[0] for item in node.names}
            elif isinstance(node, cst.Nonlocal) and own.parent is not None:
                own.elsewhere |= {item.name.value: _holder(own.parent, item.name.value) for item in node.names}
            elif isinstance(
                node, cst.BaseSuite | cst.BaseCompoundStatement | cst.SimpleStatementLine | cst.Else | cst.Finally
                | cst.ExceptHandler | cst.ExceptStarHandler | cst.MatchCase
            ) and not isinstance(node, cst.FunctionDef | cst.ClassDef):  # fmt: skip
                stack += children(node)

    def store(self, node: cst.CSTNode, scope: Scope) -> None:
        """A target: its names are bound; what an attribute or an item belongs to is read."""
        target = getattr(node, "target", None)
        if isinstance(node, cst.AsName):
            target = node.name
        for name in _stored(target):
            self._stored.add(name)

    def walrus(self, node: cst.NamedExpr, scope: Scope) -> None:
        """`name := value` binds in the function around comprehensions."""
        while isinstance(scope.node, cst.BaseComp) and scope.parent is not None:
            scope = scope.parent
        if isinstance(node.target, cst.Name):
            self._skipped.add(node.target)
            self.bind(node.target.value, scope, node.target)

    def import_(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        """An import: each alias binds a name."""
        module = getattr(node, "module", None)
        self._skip(module)
        for alias in node.names if not isinstance(node.names, cst.ImportStar) else ():
            self._skip(alias.name)
            local = alias.evaluated_alias
            if alias.asname is not None:
                self._skip(alias.asname.name)
            self.bind(local or alias.evaluated_name.split(".")[0], scope, node, alias)

    def _skip(self, node: cst.CSTNode | None) -> None:
        while isinstance(node, cst.Attribute):
            node = node.value
        if isinstance(node, cst.Name):
            self._skipped.add(node)

    def attribute(self, node: cst.Attribute, scope: Scope) -> None:
        """The name after the dot is no variable."""
        self._skipped.add(node.attr)

    def argument(self, node: cst.Arg, scope: Scope) -> None:
        """Neither is a keyword."""
        if node.keyword is not None:
            self._skipped.add(node.keyword)

    def declared(self, node: cst.NameItem, scope: Scope) -> None:
        """Nor a name in `global`."""
        self._skipped.add(node.name)

    def pattern(self, node: cst.CSTNode, scope: Scope) -> None:
        """A pattern of a `match` binds its captures."""
        if isinstance(node, cst.MatchMapping):
            name = node.rest
        elif isinstance(node, cst.MatchKeywordElement):
            self._skipped.add(node.key)
            return
        else:
            name = getattr(node, "name", None)
        if isinstance(name, cst.Name):
            self._stored.add(name)


def _holder(scope: Scope, name: str) -> Scope:
    found = scope.find(name)
    return found[0].scope if found else scope


def _stored(target: object) -> Iterator[cst.Name]:
    if isinstance(target, cst.Name):
        yield target
    elif isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _stored(element.value)


_VISITORS: dict[type[cst.CSTNode], Callable[..., Callable[[cst.CSTNode], Scope] | None]] = {
    cst.Name: Scopes.name,
    cst.SimpleString: Scopes.text,
    cst.FunctionDef: Scopes.function,
    cst.Lambda: Scopes.lambda_,
    cst.Param: Scopes.parameter,
    cst.ClassDef: Scopes.class_,
    **dict.fromkeys((cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp), Scopes.comprehension),
    **dict.fromkeys((cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.AsName), Scopes.store),
    cst.NamedExpr: Scopes.walrus,
    **dict.fromkeys((cst.Import, cst.ImportFrom), Scopes.import_),
    cst.Attribute: Scopes.attribute,
    cst.Arg: Scopes.argument,
    cst.NameItem: Scopes.declared,
    **dict.fromkeys((cst.MatchAs, cst.MatchStar, cst.MatchMapping, cst.MatchKeywordElement), Scopes.pattern),
}


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes within a node, layout aside, in the order of the source."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(f.name for f in fields(node) if not _LAYOUT.search(f.name))
        if isinstance(node, cst.FunctionDef | cst.ClassDef | cst.ExceptHandler):
            names = tuple(sorted(names, key=lambda name: (name == "body", name != "decorators")))
        _FIELDS[kind] = names
    found: list[cst.CSTNode] = []
    for name in names:
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += value
    return found


def nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all within it, layout aside."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))
