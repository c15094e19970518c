"""A swarm as the package of that name makes it, as far as the programs of the corpus need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState
from langgraph.types import Command


class SwarmState(MessagesState):
    active_agent: str


def create_handoff_tool(*, agent_name: str, description: str | None = None) -> BaseTool:
    name = f"transfer_to_{agent_name.lower()}"

    @tool(name, description=description or f"Ask agent '{agent_name}' for help")
    def handoff(state: Annotated[Any, InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]) -> Any:
        message = ToolMessage(f"Transferred to {agent_name}", name=name, tool_call_id=tool_call_id)
        update = {"messages": [*state["messages"], message], "active_agent": agent_name}
        return Command(goto=agent_name, graph=Command.PARENT, update=update)

    return handoff


def create_swarm(agents: Sequence[Any], *, default_active_agent: str) -> Any:
    graph = StateGraph(SwarmState)
    names = tuple(agent.name for agent in agents)
    graph.add_conditional_edges(START, lambda state: state.get("active_agent", default_active_agent), list(names))
    for agent in agents:
        graph.add_node(agent.name, agent, destinations=tuple(n for n in names if n != agent.name))
    return graph
