from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.prebuilt.chat_agent_executor import AgentState


def _prompt(state: AgentState):
    return [{"role": "system", "content": "You type."}, *state["messages"]]


def build() -> CompiledStateGraph:
    def key(name: str) -> str:
        """Press a key."""
        return name

    return create_react_agent(ChatOpenAI(), [key], prompt=_prompt)


agent = build()
