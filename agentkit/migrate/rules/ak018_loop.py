"""AK018: code that depends on how the legacy loop ends."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.flows import elements, origins
from agentkit.migrate.options import Options
from agentkit.migrate.rules.ak010_state_schema import MANAGED
from agentkit.migrate.source import Source, dotted, key_of, text_of


def apply(call: AgentCall) -> None:
    """Drop `version=`.

    Raises:
        Refused: It is v1, or can't be seen.
    """
    if "version" not in call.arguments:
        return
    version = text_of(call.arguments["version"].value)
    if version != "v2" and "AK018" not in call.apply:
        given = call.code("version")
        raise Refused("AK018", f"version={given}: create_agent runs each tool call as a task of its own")
    call.used("AK018")
    call.drop("version")


LIMIT = "at this limit create_agent raises GraphRecursionError, where create_react_agent answered"


def in_file(source: Source, options: Options) -> str:
    """Why no agent of a file can be rewritten; "" where nothing speaks against it."""
    if any(_reads_managed(source, node) for node in [*source.all(cst.SimpleString), *source.all(cst.Attribute)]):
        return "the file reads remaining_steps, which create_agent does not have"
    if "AK018" in options.apply:
        return ""
    if any("more steps" in (text_of(node) or "") for node in source.all(cst.SimpleString)):
        return "the file reads what this agent answers at the recursion limit, where create_agent raises"
    return options.loop


def limit(source: Source) -> cst.CSTNode | None:
    """The first place where a file sets a recursion limit."""
    given = (
        node
        for name, node in _given(source)
        if name.split(".")[-1] == "recursion_limit" and source.code(node) not in {"None", "25"}
    )
    return min(given, key=lambda node: source.order[node], default=None)


def tools(call: AgentCall) -> None:
    """Check what the tools of a call do when they are done.

    Raises:
        Refused: One of them may have `return_direct`.
    """
    source = call.source
    direct = [
        node
        for name, node in _given(source)
        if name.split(".")[-1] == "return_direct" and source.code(node) not in {"False", "None"}
    ]
    if not direct or "AK018" in call.apply or call.value("tools") is None:
        return
    if any(_may_hold(source, part, direct) for part in elements(source, call.arguments["tools"].value) or [call.node]):
        raise Refused("AK018", "a tool has return_direct, and with parallel calls the two agents end differently")


def _may_hold(source: Source, tool: cst.CSTNode, direct: list[cst.BaseExpression]) -> bool:
    """Whether a tool is, or may be, made where `return_direct` is given."""
    found = origins(source, tool)
    if any(not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Call)) for node in found):
        return True
    for node in found:
        made = source.value(node.func) if isinstance(node, cst.Call) else node
        if any(source.inside(given, part) for given in direct for part in (node, made)):
            return True
    return False


def _given(source: Source) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Every name with what it is given: as argument, attribute, field or key."""
    yield from ((a.keyword.value, a.value) for a in source.all(cst.Arg) if a.keyword is not None)
    for assign in source.all(cst.Assign):
        yield from ((_target(target.target), assign.value) for target in assign.targets)
    yield from ((_target(a.target), a.value) for a in source.all(cst.AnnAssign) if a.value is not None)
    yield from ((text_of(e.key) or "", e.value) for e in source.all(cst.DictElement))


def _target(node: cst.BaseExpression) -> str:
    return key_of(node) or dotted(node)


def _reads_managed(source: Source, node: cst.CSTNode) -> bool:
    """Whether a node names a managed value to read it: not as the key of an input, and not to declare it."""
    if isinstance(node, cst.Attribute):
        return node.attr.value in MANAGED
    if text_of(node) not in MANAGED:
        return False
    parent = source.parent(node)
    return not (isinstance(parent, cst.DictElement) and parent.key is node)
