"""AK010: state classes."""

from __future__ import annotations

import libcst as cst

from agentkit.migrate.calls import AgentCall, Refused
from agentkit.migrate.names import Binding
from agentkit.migrate.rules._rule import Rule
from agentkit.migrate.source import Source

RULE = Rule(
    code="AK010",
    title="state_schema= and the legacy state classes",
    text=(
        "A TypedDict state stays what it is: its base becomes `langchain.agents.AgentState`, and the managed "
        "`remaining_steps` field goes, as `create_agent` takes no managed field (a file that reads it stays "
        "on the shim, see AK018). This is done where the class serves rewritten agents and annotations alone; "
        "a class that also builds a graph of its own keeps its legacy base. A pydantic state stays on the "
        "shim: `create_agent` does not validate it, applies no defaults and hands out dicts."
    ),
    before=(
        "from langgraph.prebuilt import create_react_agent\n"
        "from langgraph.prebuilt.chat_agent_executor import AgentState\n\n\n"
        "class State(AgentState):\n"
        "    user: str\n\n\n"
        "agent = create_react_agent(model, tools, state_schema=State)\n"
    ),
    after=(
        "from langchain.agents import create_agent\n"
        "from langchain.agents import AgentState\n\n\n"
        "class State(AgentState):\n"
        "    user: str\n\n\n"
        "agent = create_agent(model, tools, state_schema=State)\n"
    ),
)

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
    call.states = _classes(call.source, followed, legacy)
    call.used("AK010")


def _classes(source: Source, node: cst.ClassDef, legacy: list[Binding]) -> list[cst.ClassDef]:
    """A state class and those of this file that it is based on."""
    name = node.name.value
    if node.decorators:
        raise Refused("AK010", f"{name} is no TypedDict")
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
