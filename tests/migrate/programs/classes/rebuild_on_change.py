# stays: AK004
# agent: Chat("You are kind.").agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def shorten(text: str) -> str:
    """Shorten."""
    return text[:1]


class Chat:
    def __init__(self, prompt=None):
        self.tools = []
        self.set_prompt(prompt)

    def add_tool(self, tool):
        self.tools.append(tool)
        self._setup_agent()

    def set_prompt(self, prompt):
        self.prompt = prompt
        self._setup_agent()

    def _setup_agent(self):
        prompt_to_use = self.prompt if self.prompt else "You chat."
        self.agent = create_react_agent(model=ChatOpenAI(), tools=self.tools, prompt=prompt_to_use)


chat = Chat()
chat.add_tool(shorten)
print(len(chat.tools), chat.agent.invoke({"messages": [("user", "hi")]})["messages"][-1].content[:6])
