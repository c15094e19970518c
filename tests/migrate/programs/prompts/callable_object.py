# stays: AK004
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Persona:
    def __init__(self, name):
        self.name = name

    def __call__(self, state):
        return [SystemMessage(content=f"You are {self.name}."), *state["messages"]]


def hum(tune: str) -> str:
    """Hum."""
    return "mmm"


agent = create_react_agent(ChatOpenAI(), [hum], prompt=Persona("Ella"))
