# context: {"provider": "small"}
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from langgraph.runtime import Runtime
from typing_extensions import TypedDict


class Context(TypedDict):
    provider: str


large = ChatOpenAI(model="gpt-4o")
small = ChatOpenAI(model="gpt-4o-mini")


def area(side: float) -> float:
    """Area of a square."""
    return side * side


TOOLS = [area]


def select_model(state: AgentState, runtime: Runtime[Context]) -> BaseChatModel:
    chosen = small if runtime.context["provider"] == "small" else large
    return chosen.bind_tools(TOOLS)


agent = create_react_agent(select_model, TOOLS, context_schema=Context)
