# agent: Coach("tennis").agent
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Coach:
    def __init__(self, sport):
        self.sport = sport
        self.agent = create_react_agent(ChatOpenAI(), [self.drill], prompt=self._prompt)

    def _prompt(self, state):
        return [SystemMessage(content=f"You coach {self.sport}."), *state["messages"]]

    def drill(self, minutes: int) -> str:
        """A drill."""
        return f"{minutes} minutes of serves"
