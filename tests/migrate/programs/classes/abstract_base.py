# agent: Weather().compile()
from abc import ABC, abstractmethod

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class BaseAgent(ABC):
    name = "base"

    @property
    @abstractmethod
    def prompt(self) -> str: ...

    @abstractmethod
    def get_tools(self) -> list: ...

    def compile(self):
        return create_react_agent(
            model=ChatOpenAI(), tools=self.get_tools(), prompt=self.prompt, name=self.name
        )


class Weather(BaseAgent):
    name = "weather"

    @property
    def prompt(self) -> str:
        return "You know the weather."

    def get_tools(self):
        def forecast(city: str) -> str:
            """Forecast."""
            return "sun"

        return [forecast]


print(Weather().compile().name)
