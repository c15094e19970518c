from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from langgraph.prebuilt import create_react_agent

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.graph.state import CompiledStateGraph


class BaseAgent(ABC):
    name: str = "base"

    def __init__(self, llm: BaseChatModel, checkpointer: Any = None) -> None:
        self.llm = llm
        self.checkpointer = checkpointer
        self._graph: CompiledStateGraph | None = None

    @property
    @abstractmethod
    def system_prompt(self) -> str: ...

    def get_tools(self) -> list:
        return []

    @property
    def graph(self) -> CompiledStateGraph:
        if self._graph is None:
            self._graph = create_react_agent(
                self.llm,
                self.get_tools(),
                prompt=self.system_prompt,
                checkpointer=self.checkpointer,
                name=self.name,
            )
        return self._graph
