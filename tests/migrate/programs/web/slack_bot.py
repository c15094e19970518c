# inputs: [{"messages": [("user", "x")]}]
# agent: Bot().agent
import asyncio
from typing import Any

from langchain_openai import AzureChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent


class Bot:
    """Answers in the thread it was asked in."""

    def __init__(self) -> None:
        llm = AzureChatOpenAI(azure_deployment="gpt-4o", api_version="2024-06-01")
        self.agent = create_react_agent(llm, [self.remind], checkpointer=InMemorySaver())

    async def remind(self, text: str, minutes: int) -> str:
        """Remind somebody."""
        return f"{text} in {minutes} minutes"

    async def on_event(self, event: dict[str, Any]) -> str:
        config = {"configurable": {"thread_id": event["thread_ts"]}}
        final = None
        async for state in self.agent.astream({"messages": [("user", event["text"])]}, config, stream_mode="values"):
            final = state
        return final["messages"][-1].content


if __name__ == "__main__":
    bot = Bot()
    for ts in ("1.0", "1.0", "2.0"):
        print(ts, asyncio.run(bot.on_event({"thread_ts": ts, "text": "remind me"})))
