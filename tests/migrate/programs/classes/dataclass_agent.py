# agent: Agent(ChatOpenAI(), "You add.").graph
from dataclasses import dataclass, field
from typing import Any

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@dataclass
class Agent:
    llm: Any
    system_prompt: str
    tools: list = field(default_factory=lambda: [add])
    graph: Any = field(init=False, default=None)

    def __post_init__(self):
        self.graph = create_react_agent(self.llm, self.tools, prompt=self.system_prompt)
