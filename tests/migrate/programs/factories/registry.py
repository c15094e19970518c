# agent: AGENTS["writer"](ChatOpenAI())
from typing import Callable

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

AGENTS: dict[str, Callable] = {}


def register(name):
    def wrap(factory):
        AGENTS[name] = factory
        return factory

    return wrap


def outline(topic: str) -> str:
    """Outline a topic."""
    return f"1. {topic}"


@register("writer")
def writer(llm):
    return create_react_agent(llm, [outline], prompt="You write.", name="writer")


@register("critic")
def critic(llm):
    return create_react_agent(llm, [], prompt="You criticise.", name="critic")


if __name__ == "__main__":
    for name, make in AGENTS.items():
        print(name, make(ChatOpenAI()).invoke({"messages": [("user", "go")]})["messages"][-1].content)
