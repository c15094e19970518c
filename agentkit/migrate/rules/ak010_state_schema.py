"""AK010: state classes."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.names import Binding
from agentkit.migrate.source import Source

MANAGED = {"remaining_steps", "is_last_step"}
TYPED_STATES = {"AgentState", "AgentStateWithStructuredResponse"}
_PLAIN_BASES = {
    "typing.TypedDict",
    "typing_extensions.TypedDict",
    "langgraph.graph.MessagesState",
    "langgraph.graph.message.MessagesState",
    "langchain.agents.AgentState",
    "langchain.agents.middleware.AgentState",
}


def apply(call: AgentCall, legacy: list[Binding]) -> None:
    """Note the state classes that a call's rewrite changes.

    Raises:
        Refused: The state has no exact rewrite.
    """
    value = call.value("state_schema")
    if value is None:
        return
    if isinstance(value, cst.Name) and _legacy_state(call.source, value, legacy):
        call.used("AK010")
        return
    followed = call.source.value(value)
    if not isinstance(followed, cst.ClassDef):
        raise Refused("AK010", f"state_schema={call.code('state_schema')} is no class that this file shows")
    call.states = [node for node in _classes(call.source, followed, legacy) if call.source.owns(node)]
    call.used("AK010")


def _classes(source: Source, node: cst.ClassDef, legacy: list[Binding]) -> list[cst.ClassDef]:
    """A state class and those of this file that it is based on."""
    name = node.name.value
    if node.decorators:
        raise Refused("AK010", f"{name} is no TypedDict")
    if not source.owns(node) and managed_fields(node):
        raise Refused("AK010", f"{name} has a managed field, in a file of its own")
    found = [node]
    for base in node.bases:
        local = source.value(base.value)
        if isinstance(local, cst.ClassDef):
            found += _classes(source, local, legacy)
        elif not (source.imported(base.value) in _PLAIN_BASES or _legacy_state(source, base.value, legacy)):
            raise Refused("AK010", f"{name} is no TypedDict that this file shows, so its values are models")
    if not node.bases:
        raise Refused("AK010", f"{name} is no TypedDict")
    return found


def _legacy_state(source: Source, node: cst.BaseExpression, legacy: list[Binding]) -> bool:
    return any(use.node is node and use.name in TYPED_STATES for binding in legacy for use in binding.uses)


def managed_fields(node: cst.ClassDef) -> list[cst.SimpleStatementLine]:
    """The lines of a class that declare managed fields."""
    return [
        line
        for line in node.body.body
        if isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
        and isinstance(line.body[0], cst.AnnAssign)
        and isinstance(line.body[0].target, cst.Name)
        and line.body[0].target.value in MANAGED
    ]


def movable(source: Source, node: cst.CSTNode, classes: list[cst.ClassDef], calls: list[AgentCall]) -> bool:
    """Whether one reference to a state class still means the same when the class changes its base."""
    if isinstance(node, cst.SimpleString):
        return True
    parent = source.parent(node)
    for outer in source.parents(node):
        if isinstance(outer, cst.Annotation):
            return True
        if isinstance(outer, (cst.Lambda, cst.FunctionDef, cst.SimpleStatementLine)):
            break
        if isinstance(outer, cst.Subscript) and not source.inside(node, outer.value):
            return True  # Annotated[State, InjectedState], Runtime[State] and the like
    if isinstance(parent, cst.Call) and parent.func is node:
        return True  # State(messages=[...]) makes a dict
    if isinstance(parent, cst.Arg):
        owner = source.parent(parent)
        if isinstance(owner, cst.ClassDef):
            return any(owner is known for known in classes)
        return any(owner is call.node for call in calls) and (
            parent.keyword is not None and parent.keyword.value == "state_schema"
        )
    return False
