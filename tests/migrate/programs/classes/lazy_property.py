# agent: Reasoner({}).react_agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

REASONER_PROMPT = "You weigh legal claims."


def statute(article: str) -> str:
    """Read an article of the code."""
    return f"Art. {article}: ..."


class BaseAgent:
    def __init__(self, config: dict):
        self.config = config
        self.llm = ChatOpenAI(model=config.get("model", "gpt-4o"))


class Reasoner(BaseAgent):
    def __init__(self, config: dict):
        super().__init__(config)
        self._react_agent = None

    @property
    def tools(self) -> list:
        return [statute]

    @property
    def react_agent(self):
        """Built when it is first needed."""
        if self._react_agent is None:
            self._react_agent = create_react_agent(self.llm, self.tools, prompt=REASONER_PROMPT)
        return self._react_agent

    def run(self, claim: str) -> str:
        return self.react_agent.invoke({"messages": [("user", claim)]})["messages"][-1].content


if __name__ == "__main__":
    print(Reasoner({}).run("The contract is void."))
