# agent: Friendly().runnable
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Plain:
    prompt: str = "You answer."

    def __init__(self):
        self.runnable = create_react_agent(ChatOpenAI(), [], prompt=self.prompt)


class Friendly(Plain):
    prompt = "You answer kindly."
