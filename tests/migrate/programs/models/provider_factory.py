# agent: build("groq")
from langchain_groq import ChatGroq
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class LLMFactory:
    """Makes the model that the settings ask for."""

    def get_llm(self, kind: str = "openai"):
        if kind == "groq":
            return ChatGroq(model="llama3-8b-8192")
        if kind == "ollama":
            common = {"model": "qwen3", "temperature": 0}
            try:
                return ChatOllama(**common, reasoning=False)
            except TypeError:
                return ChatOllama(**common)
        return ChatOpenAI()


def now(zone: str) -> str:
    """The time in a zone."""
    return "12:00"


def build(kind):
    model = LLMFactory().get_llm(kind)
    return create_react_agent(model, [now], prompt="You know the time.")
