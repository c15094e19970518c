"""AK018: code that depends on how the legacy loop ends."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.options import Options
from agentkit.migrate.rules.ak010_state_schema import MANAGED
from agentkit.migrate.source import Source, dotted, text_of


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


def in_file(source: Source, options: Options) -> str:
    """Why no agent of a file can be rewritten; "" where nothing speaks against it."""
    words = _words(source)
    if words & MANAGED:
        return "the file reads remaining_steps, which create_agent does not have"
    if "AK018" in options.apply:
        return ""
    if words & {"recursion_limit", "GraphRecursionError"}:
        return "the file sets a recursion limit, at which create_agent raises where this agent answers"
    if "return_direct" in words and _returns_directly(source):
        return "a tool has return_direct, and with parallel calls the two agents end differently"
    return options.loop


def _returns_directly(source: Source) -> bool:
    """Whether anything but False is given for `return_direct`, as argument, attribute, field or key."""
    given: list[tuple[str, cst.BaseExpression]] = [
        (a.keyword.value, a.value) for a in source.all(cst.Arg) if a.keyword is not None
    ]
    given += [(dotted(target.target), assign.value) for assign in source.all(cst.Assign) for target in assign.targets]
    given += [(dotted(a.target), a.value) for a in source.all(cst.AnnAssign) if a.value is not None]
    given += [(text_of(e.key) or "", e.value) for e in source.all(cst.DictElement)]
    return any(
        name.split(".")[-1] == "return_direct" and source.code(value) not in {"False", "None"} for name, value in given
    )


def _words(source: Source) -> set[str]:
    """The names and strings of a file that this rule looks for, field declarations aside."""
    found: set[str] = set()
    for name in source.all(cst.Name):
        parent = source.parent(name)
        declared = isinstance(parent, cst.AnnAssign) and parent.target is name and parent.value is None
        if not (declared and isinstance(source.enclosing(name, cst.ClassDef), cst.ClassDef)):
            found.add(name.value)
    found.update(text for node in source.all(cst.SimpleString) if (text := text_of(node)) is not None)
    return found
