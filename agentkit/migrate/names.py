"""Find every use of a legacy name, however it was imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import libcst as cst

from agentkit._moves import BY_NAME, GONE, LEGACY_ROOT, MOVES, SHIM_ROOT
from agentkit.migrate.scopes import Assignment
from agentkit.migrate.source import Source, dotted

ROOTS = (LEGACY_ROOT, SHIM_ROOT)
AGENTS = ("create_react_agent", "create_tool_calling_executor", "create_function_calling_executor")
_MODULES = {*ROOTS, *(f"{root}.{module}" for root in ROOTS for module in {*(m.module for m in MOVES), "tool_executor"})}


@dataclass(eq=False)
class Use:
    """One place that names something of the legacy module: a name, a dotted chain, a quoted annotation."""

    name: str
    node: cst.BaseExpression
    binding: Binding


@dataclass(eq=False)
class Binding:
    """One name that an import statement binds to the legacy module or to a name of it.

    Attributes:
        statement: The import statement.
        alias: Its part that binds the name; None for a star import.
        local: The name bound.
        module: The legacy module, as written there (`langgraph.prebuilt.tool_node`).
        name: The legacy name, or "" where the module itself is bound.
        uses: Where it is used.
    """

    statement: cst.Import | cst.ImportFrom
    alias: cst.ImportAlias | None
    local: str
    module: str
    name: str
    uses: list[Use] = field(default_factory=list)


def bindings(source: Source) -> list[Binding]:
    """List what a file imports from the legacy module, with every use of it."""
    found = []
    for scope in source.scopes:
        for assignment in (bound for bounds in scope.names.values() for bound in bounds):
            binding = _binding(assignment)
            if binding:
                binding.uses = sorted(_uses(source, binding, assignment), key=lambda use: source.order[use.node])
                found.append(binding)
    return sorted(found, key=lambda binding: (source.order[binding.statement], binding.local))


def stars(source: Source) -> list[cst.ImportFrom]:
    """List the star imports of the legacy module."""
    return [
        node
        for node in source.all(cst.ImportFrom)
        if isinstance(node.names, cst.ImportStar) and dotted(node.module) in _MODULES
    ]


def _binding(assignment: Assignment) -> Binding | None:
    statement, alias = assignment.node, assignment.alias
    if alias is None or (isinstance(statement, cst.ImportFrom) and statement.relative):
        return None
    name = alias.evaluated_name
    if isinstance(statement, cst.Import):
        return Binding(statement, alias, alias.evaluated_alias or name, name, "") if name in _MODULES else None
    assert isinstance(statement, cst.ImportFrom)
    parent = dotted(statement.module)
    if f"{parent}.{name}" in _MODULES:
        return Binding(statement, alias, assignment.name, f"{parent}.{name}", "")
    if parent in _MODULES and (name in BY_NAME or name in GONE):
        return Binding(statement, alias, assignment.name, parent, name)
    return None


def _uses(source: Source, binding: Binding, assignment: Assignment) -> Iterator[Use]:
    for node in assignment.references:
        if binding.name or not isinstance(node, cst.Name):
            yield Use(binding.name, node, binding)  # type: ignore[arg-type]
            continue
        outer: cst.BaseExpression = node
        path = binding.module if binding.local == node.value else node.value
        while isinstance(parent := source.parent(outer), cst.Attribute) and parent.value is outer:
            outer = parent
            path = f"{path}.{outer.attr.value}"
            if path not in _MODULES and not binding.module.startswith(f"{path}."):
                break
        if path in _MODULES:
            yield Use("", outer, binding)
        elif path.startswith(f"{binding.module}."):
            name = path.rpartition(".")[2]
            yield Use(name if name in BY_NAME or name in GONE else "", outer, binding)


def shim_path(module: str) -> str:
    """The shim's address of a legacy module."""
    return module if module.startswith(SHIM_ROOT) else module.replace(LEGACY_ROOT, SHIM_ROOT, 1)


def shim_module(name: str, module: str) -> str:
    """The module of the shim that has a legacy name, as near to the old address as it can be."""
    move = BY_NAME.get(name)
    path = shim_path(module)
    return path if move is None or path != SHIM_ROOT or move.top else f"{SHIM_ROOT}.{move.module}"
