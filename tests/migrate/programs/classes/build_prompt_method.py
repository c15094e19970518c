# agent: Guide().agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Guide:
    city = "Rome"

    def __init__(self):
        self.llm = ChatOpenAI()
        system_prompt = self._build_prompt()
        self.agent = create_react_agent(model=self.llm, tools=[self.sights], prompt=system_prompt)

    def _build_prompt(self) -> str:
        return f"You guide people through {self.city}."

    def sights(self) -> list[str]:
        """Sights."""
        return ["Forum"]


print(Guide().agent.invoke({"messages": [("user", "sights?")]})["messages"][-1].content)
