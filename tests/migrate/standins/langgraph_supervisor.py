"""A supervisor as the package of that name makes it, as far as the programs of the corpus need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph


def create_supervisor(agents: Sequence[Any], *, model: Any, prompt: str | None = None, **_: Any) -> Any:
    """Each agent in turn, then the supervisor's own word."""

    def supervisor(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke([("system", prompt or ""), *state["messages"]])]}

    graph = StateGraph(MessagesState)
    last = START
    for agent in agents:
        graph.add_node(agent.name, agent)
        graph.add_edge(last, agent.name)
        last = agent.name
    graph.add_node("supervisor", supervisor)
    graph.add_edge(last, "supervisor")
    return graph
