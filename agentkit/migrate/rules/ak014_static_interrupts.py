"""AK014: static interrupts, and what may take their place."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.source import text_of

_MEMORY = {"MemorySaver", "InMemorySaver"}


NOTE = "a thread that create_react_agent stored at this interrupt can't get past it here: finish such threads first"


def keeps_threads(call: AgentCall) -> bool | None:
    """Whether threads may outlive the process, as far as this file shows; None where it shows no saver."""
    values = [call.value("checkpointer")]
    if values[0] is None or call.source.code(values[0]) in {"True", "False"}:
        values = [  # the agent may be part of a graph that has one
            argument.value
            for node in call.source.all(cst.Call)
            for argument in node.args
            if argument.keyword is not None and argument.keyword.value == "checkpointer" and node is not call.node
        ]
    found = [_is_durable(call, value) for value in values if value is not None]
    return any(found) if found else None


def _is_durable(call: AgentCall, value: cst.BaseExpression) -> bool:
    followed = call.source.value(value)
    if isinstance(followed, cst.Call):
        return call.source.imported(followed.func).split(".")[-1] not in _MEMORY
    return call.source.code(value) not in {"True", "False", "None"}


def apply(call: AgentCall) -> None:
    """Rename the nodes to pause at; must come after the hooks, which name nodes.

    Raises:
        Refused: The names can't be seen, or stored threads could get stuck.
    """
    if "AK014" in call.apply and _pauses_before_tools(call):
        call.used("AK014")
        call.agent_module = "agentkit.agents"
        call.rename("interrupt_before", "interrupt_on", cst.parse_expression('{"*": True}'))
        call.notes.append(("AK014", 'resume with Command(resume={"decisions": [{"type": "approve"}]})'))
        return
    for keyword in ("interrupt_before", "interrupt_after"):
        value = call.value(keyword)
        if value is None:
            continue
        if text_of(value) is not None and text_of(value) != "*":
            raise Refused("AK014", f"{keyword}= is no list")
        if not isinstance(value, (cst.List, cst.SimpleString)):
            raise Refused("AK014", f"{keyword}={call.code(keyword)} is no list that is written out here")
        kept = keeps_threads(call)
        if kept is None and ("AK014", NOTE) not in call.notes:
            call.notes.append(("AK014", NOTE))
        if kept:
            raise Refused("AK014", "threads stored by the legacy agent could not get past this pause")
        if isinstance(value, cst.List):
            _rename(call, keyword, value)


def _rename(call: AgentCall, keyword: str, value: cst.List) -> None:
    for element in value.elements:
        name = text_of(element.value)
        if name is None:
            raise Refused("AK014", f"{keyword}= names a node in a way that can't be seen")
        if name in call.node_names:
            call.used("AK014")
            call.values[element.value] = quoted_like(element.value, call.node_names[name])


def _pauses_before_tools(call: AgentCall) -> bool:
    value = call.value("interrupt_before")
    return (isinstance(value, cst.List) and [text_of(e.value) for e in value.elements] == ["tools"]) and call.value(
        "interrupt_after"
    ) is None


def quoted_like(node: cst.BaseExpression, text: str) -> cst.BaseExpression:
    """A string literal in the quotes of another."""
    quote = node.quote if isinstance(node, cst.SimpleString) else '"'
    return cst.SimpleString(f"{quote}{text}{quote}")
