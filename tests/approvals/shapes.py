"""An agent with a gate, in every place it can have: alone, a node, two levels down, inside a tool, under `task`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.tools import StructuredTool
from langgraph.graph import START, MessagesState, StateGraph

from agentkit.agents import create_agent
from agentkit.testing import ScriptedChatModel, call

from .conftest import build, find_spec

SHAPES = ["alone", "node", "two levels", "tool", *(["task"] if find_spec("deepagents") else [])]
NESTED = SHAPES[1:]


def build_shape(shape: str, kind: str, script: Sequence[Any], tools: Sequence[Any], saver: Any, **gate: Any) -> Any:
    """Build an agent of a kind in a place. Its gate is given as for `create_agent`.

    Args:
        shape: One of `SHAPES`.
        kind: One of `conftest.KINDS`. Under `task` it is deepagents' own sub-agent.
        script: The turns of the agent with the gate.
        tools: Its tools.
        saver: Where the outermost graph keeps its threads.
        **gate: `interrupt_on`, `middleware` and the like.

    Returns:
        The outermost graph.
    """
    model = ScriptedChatModel(script=[*script, "end"])
    if shape == "alone":
        return build(kind, model, tools, checkpointer=saver, **gate)
    if shape == "task":
        worker = {"name": "worker", "description": "Works.", "system_prompt": "Work.", "model": model, "tools": tools}
        asks = ScriptedChatModel(script=[call("task", "t", description="go", subagent_type="worker"), "end"])
        return build("create_deep_agent", asks, [], subagents=[{**worker, **gate}], checkpointer=saver)
    agent = build(kind, model, tools, checkpointer=None, **gate)
    if shape == "tool":
        asks = ScriptedChatModel(script=[call("delegate", "d"), "end"])
        return create_agent(asks, [inside_a_tool(agent)], checkpointer=saver)
    if shape == "two levels":
        agent = as_node(agent)
    return as_node(agent, checkpointer=saver)


def as_node(agent: Any, then: Callable[[Any], Any] | None = None, **options: Any) -> Any:
    """A graph of one node, and of a second one that is a function, if given."""
    graph = StateGraph(MessagesState)
    graph.add_node("sub", agent)
    graph.add_edge(START, "sub")
    if then is not None:
        graph.add_node("then", then)
        graph.add_edge("sub", "then")
    return graph.compile(**options)


def inside_a_tool(agent: Any) -> StructuredTool:
    """A tool that asks an agent."""

    def delegate() -> str:
        return str(agent.invoke({"messages": [("user", "go")]})["messages"][-1].content)

    async def adelegate() -> str:
        return str((await agent.ainvoke({"messages": [("user", "go")]}))["messages"][-1].content)

    return StructuredTool.from_function(delegate, adelegate, name="delegate", description="Delegate.")
