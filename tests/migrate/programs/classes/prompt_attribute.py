# agent: MailAgent().executor
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


class MailAgent:
    SYSTEM_INSTRUCTION = (
        "You are an assistant for mail. "
        "Politely decline anything else."
    )

    def __init__(self):
        self.model = ChatOpenAI(model="gpt-4o")
        self.executor = create_react_agent(
            self.model,
            tools=[self.send],
            checkpointer=MemorySaver(),
            prompt=self.SYSTEM_INSTRUCTION,
        )

    @staticmethod
    def send(to: str, text: str) -> str:
        """Send a mail."""
        return f"sent to {to}"
