"""Decide what each import statement of the legacy module becomes."""

from __future__ import annotations

import re
from collections.abc import Iterable

import libcst as cst

from agentkit._moves import BY_NAME, GONE
from agentkit.migrate.calls import AgentCall
from agentkit.migrate.edit import Edits
from agentkit.migrate.functions import names_in
from agentkit.migrate.names import AGENTS, Binding, Use, shim_path
from agentkit.migrate.options import Options
from agentkit.migrate.rules import ak001_imports, ak010_state_schema
from agentkit.migrate.source import Source, dotted

# (module, name, alias): `from module import name as alias`; without a name `import module as alias`.
Import = tuple[str, str, str]


def plan(
    source: Source,
    options: Options,
    found: list[Binding],
    calls: list[AgentCall],
    classes: list[cst.ClassDef],
    edits: Edits,
) -> None:
    """Fill in the new import statements, and the new addresses in dotted uses."""
    gone = _gone(source, calls)
    exported = options.exported | source.dunder_all()
    statements: dict[cst.CSTNode, list[Binding]] = {}
    for binding in found:
        statements.setdefault(binding.statement, []).append(binding)
    lines: dict[cst.CSTNode, list[Import]] = {}
    for statement, group in statements.items():
        wanted = lines.setdefault(statement, [])
        for binding in group:
            mine = [call for call in calls if call.use.binding is binding]
            wanted += _needed(source, statement, mine)
            if not mine:
                wanted += _again(binding, calls)
            wanted += _kept(source, options, binding, gone, exported, calls, classes, edits)
        wanted += _untouched(statement, group)
    _one_agent_state(lines, calls)
    for statement, wanted in lines.items():
        old = source.code(statement)
        comments = _comments(source, statement)
        for call in calls:
            if call.use.binding.statement is statement and (own := comments.get(call.use.binding.local)):
                comments.setdefault(call.name(call.agent_module, "create_agent"), own)
        new = _statements(source, statement, dict.fromkeys(wanted), comments)
        if new != [old]:
            edits.imports[statement] = new
    for call in calls:
        if call.after_import:
            target = _after_imports(source, call.use.binding.statement)
            edits.before[target] = [*call.after_import, *edits.before.get(target, [])]


def _one_agent_state(lines: dict[cst.CSTNode, list[Import]], calls: list[AgentCall]) -> None:
    """Where the file's own AgentState is langchain's by now, generated classes need no second name for it."""
    plain, alias = ("langchain.agents", "AgentState", ""), "LangchainAgentState"
    if any(plain in wanted for wanted in lines.values()):
        for wanted in lines.values():
            wanted[:] = [entry for entry in wanted if entry[2] != alias]
        for call in calls:
            call.after_import = [text.replace(alias, "AgentState") for text in call.after_import]


def _gone(source: Source, calls: list[AgentCall]) -> set[cst.CSTNode]:
    """The nodes that the rewrite takes out of the file, with all that is in them."""
    gone: set[cst.CSTNode] = set()
    for call in calls:
        gone.add(call.use.node)
        for function in call.functions:
            if function.request:
                first = function.node.params.params[0]
                for part in (first.annotation, function.node.returns):
                    if part is not None:
                        gone.update(_all_nodes(part))
            for old, new in function.returns.items():
                gone.update(set(_all_nodes(old)) - set(_all_nodes(new)))
        for node, value in call.values.items():
            gone.update(set(_all_nodes(node)) - set(_all_nodes(value)))
        for keyword, replacement in call.replaced.items():
            old_value = call.arguments[keyword].value
            kept = set(_all_nodes(replacement[1])) if replacement else set()
            if not isinstance(old_value, cst.Lambda):
                gone.update(set(_all_nodes(old_value)) - kept)
    return gone


def _all_nodes(node: cst.CSTNode) -> list[cst.CSTNode]:
    found: list[cst.CSTNode] = []

    class Visitor(cst.CSTVisitor):
        def on_visit(self, node: cst.CSTNode) -> bool:
            found.append(node)
            return True

    node.visit(Visitor())
    return found


def _needed(source: Source, statement: cst.CSTNode, calls: list[AgentCall]) -> Iterable[Import]:
    """What the rewritten calls of one import need: `create_agent` and the names that rules asked for."""
    for call in calls:
        call.name(call.agent_module, "create_agent")
        for module, names in call.needs.items():
            for name, local in names.items():
                if not _imported_already(source, statement, module, name, local):
                    yield module, name, "" if local == name else local


def _again(binding: Binding, calls: list[AgentCall]) -> Iterable[Import]:
    """`create_agent` for an import that only repeats another one, as notebooks do."""
    served = {use.node for use in binding.uses}
    for call in calls:
        if call.use.node in served:
            local = call.name(call.agent_module, "create_agent")
            yield call.agent_module, "create_agent", "" if local == "create_agent" else local


def _imported_already(source: Source, statement: cst.CSTNode, module: str, name: str, local: str) -> bool:
    return any(
        assignment.alias is not None
        and source.is_global(assignment.node)
        and isinstance(source.parent(source.statement(assignment.node)), cst.Module)
        and isinstance(source.statement(assignment.node), cst.SimpleStatementLine)
        and isinstance(assignment.node, cst.ImportFrom)
        and dotted(assignment.node.module) == module
        and source.order[assignment.node] < source.order[_after_imports(source, statement)]
        for assignment in source.assignments(local, statement)
    )


def _kept(
    source: Source,
    options: Options,
    binding: Binding,
    gone: set[cst.CSTNode],
    exported: Iterable[str],
    calls: list[AgentCall],
    classes: list[cst.ClassDef],
    edits: Edits,
) -> Iterable[Import]:
    """What an import still has to bind itself, and under which address."""
    left = [use for use in binding.uses if use.node not in gone]
    if not left and binding.local not in exported and (binding.uses or _unused(source, options, binding)):
        return
    if not binding.name:
        yield from _module(source, binding, left, edits)
        return
    moved = (
        options.to == "create_agent"
        and "AK001" not in options.skip
        and _may_move(source, binding, left, calls, classes, binding.local in exported)
    )
    address = ak001_imports.address(binding, moved)
    module, name = address or (binding.module, binding.name)
    kept = binding.alias is not None and binding.alias.asname is not None  # `a as a` is meant for others
    yield module, name, binding.local if kept or binding.local != name else ""


def _unused(source: Source, options: Options, binding: Binding) -> bool:
    """Whether a deprecated name that the file does not use may go: nobody can import it from here."""
    statement, alias = source.statement(binding.statement), binding.alias
    return (
        options.to == "create_agent"
        and "AK001" not in options.skip
        and not options.package
        and bool(binding.name)
        and binding.name not in GONE
        and BY_NAME[binding.name].since is not None
        and not (alias is not None and alias.evaluated_alias == binding.name)  # `a as a` is meant for others
        and isinstance(statement, cst.SimpleStatementLine)
        and not any(isinstance(outer, cst.Try) for outer in source.parents(statement))
        and "F401" not in source.code(statement)
        and not source.dunder_all()
    )


def _may_move(
    source: Source,
    binding: Binding,
    left: list[Use],
    calls: list[AgentCall],
    classes: list[cst.ClassDef],
    exported: bool,
) -> bool:
    """Whether a name may come from where it lives today; what the shim still needs comes from there."""
    name = binding.name
    if name not in BY_NAME or BY_NAME[name].rule != "AK010":
        return True
    return (
        name in ak010_state_schema.TYPED_STATES
        and not exported
        and bool(binding.uses)
        and all(ak010_state_schema.movable(source, use.node, classes, calls) for use in left)
    )


def _module(source: Source, binding: Binding, left: list[Use], edits: Edits) -> Iterable[Import]:
    """The import of the module itself: it becomes the shim's, and so do dotted uses of it."""
    new = shim_path(binding.module)
    alias = binding.alias
    if isinstance(binding.statement, cst.ImportFrom) or (alias is not None and alias.asname is not None):
        parent, _, name = new.rpartition(".")
        if isinstance(binding.statement, cst.ImportFrom):
            yield parent, name, "" if binding.local == name else binding.local
        else:
            yield new, "", binding.local
        return
    yield new, "", ""
    if new == binding.module:
        return
    if _root_is_used(source, binding):
        # The name `langgraph` is still needed; the shim loads the submodules that came with it.
        yield "langgraph", "", ""
    for use in left:
        for node in _all_nodes(use.node):
            if isinstance(node, cst.Attribute) and dotted(node) == binding.module:
                edits.values[node] = cst.parse_expression(new)


def _root_is_used(source: Source, binding: Binding) -> bool:
    """Whether `import langgraph.prebuilt` also serves uses of `langgraph` that are not the module's."""
    mine = {id(node) for use in binding.uses for node in _all_nodes(use.node)}
    root = binding.local.split(".")[0]
    imports = {id(node) for kind in (cst.Import, cst.ImportFrom) for s in source.all(kind) for node in names_in(s)}
    return any(
        node.value == root and id(node) not in mine and id(node) not in imports
        for node in source.all(cst.Name)
        if not (isinstance(parent := source.parent(node), cst.Attribute) and parent.attr is node)
    )


def _untouched(statement: cst.CSTNode, group: list[Binding]) -> Iterable[Import]:
    """The parts of an import statement that are none of the legacy names."""
    mine = {id(binding.alias) for binding in group}
    assert isinstance(statement, (cst.Import, cst.ImportFrom))
    names = statement.names
    assert not isinstance(names, cst.ImportStar)
    for alias in names:
        if id(alias) in mine:
            continue
        if isinstance(statement, cst.Import):
            yield alias.evaluated_name, "", alias.evaluated_alias or ""
        else:
            yield dotted(statement.module), alias.evaluated_name, alias.evaluated_alias or ""


def _statements(
    source: Source, statement: cst.CSTNode, wanted: Iterable[Import], comments: dict[str, str]
) -> list[str]:
    plain: list[str] = []
    by_module: dict[str, dict[str, str]] = {}
    for module, name, alias in wanted:
        text = f"{name or module} as {alias}" if alias else name or module
        comment = comments.get(alias or name, "")
        if name:
            by_module.setdefault(module, {}).setdefault(text, comment)
        else:
            plain.append(f"import {text}")
    old = source.code(statement)
    tall = re.search(r",[^\n]*\n\s*\)$", old) is not None  # isort keeps a list open that ends in a comma
    lines = sorted(plain)
    for module in sorted(by_module, key=lambda module: (module != "typing", module)):
        names = {name: by_module[module][name] for name in sorted(by_module[module], key=_isort_key)}
        line = f"from {module} import {', '.join(names)}"
        if len(line) > 88 or (len(names) > 1 and (tall or any(names.values()))):
            inner = (f"    {name},{comment and '  '}{comment}\n" for name, comment in names.items())
            line = f"from {module} import (\n{''.join(inner)})"
        elif any(names.values()):
            line += "  " + next(filter(None, names.values()))
        lines.append(line)
    same = _parts(old)
    return [old if _parts(line) == same else line for line in lines]


def _comments(source: Source, statement: cst.CSTNode) -> dict[str, str]:
    """The comments beside the names of an import in brackets, by local name."""
    found: dict[str, str] = {}
    if not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        return found
    for alias in statement.names:
        after = getattr(alias.comma, "whitespace_after", None)
        if alias is statement.names[-1] and not isinstance(after, cst.ParenthesizedWhitespace):
            after = statement.rpar.whitespace_before if statement.rpar is not None else None
        first = after.first_line.comment if isinstance(after, cst.ParenthesizedWhitespace) else None
        if first is not None:
            found[alias.evaluated_alias or alias.evaluated_name] = first.value
    return found


def _isort_key(name: str) -> tuple[int, str]:
    plain = name.split(" ")[0]
    kind = 0 if plain.isupper() else 1 if plain[:1].isupper() else 2
    return kind, plain


def _parts(line: str) -> tuple[str, ...]:
    """An import statement as a set of words, so that one that only differs in layout counts as the same."""
    words = re.sub(r"#[^\n]*", " ", line).replace("(", " ").replace(")", " ").replace(",", " ").split()
    return tuple(sorted(words))


def _after_imports(source: Source, statement: cst.CSTNode) -> cst.CSTNode:
    """The first statement of the file after an import that imports nothing."""
    top = next(node for node in (statement, *source.parents(statement)) if isinstance(source.parent(node), cst.Module))
    body = list(source.module.body)
    rest = body[body.index(top) + 1 :]  # type: ignore[arg-type]
    return next((node for node in rest if not _imports(node)), rest[-1])


def _imports(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.SimpleStatementLine):
        return all(isinstance(part, (cst.Import, cst.ImportFrom)) for part in node.body)
    if isinstance(node, (cst.If, cst.Try)):
        return all(_imports(child) for child in node.body.body)
    return False


__all__ = ["AGENTS", "plan"]
