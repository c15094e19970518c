# agent: none
import asyncio

from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


class Assistant:
    agent = None

    @classmethod
    async def create(cls, name: str) -> "Assistant":
        self = cls()
        tools = await self._load_tools()
        self.agent = create_react_agent(ChatOpenAI(), tools, prompt=f"You are {name}.", checkpointer=MemorySaver())
        return self

    async def _load_tools(self):
        async def now() -> str:
            """Now."""
            return "noon"

        return [now]

    async def chat(self, text, thread):
        config = {"configurable": {"thread_id": thread}}
        async for chunk in self.agent.astream({"messages": [("user", text)]}, config, stream_mode="updates"):
            for node, update in chunk.items():
                if node == "agent":
                    yield update["messages"][-1].content


async def main():
    assistant = await Assistant.create("Max")
    for text in ("time?", "again?"):
        async for part in assistant.chat(text, "t"):
            print(part)


asyncio.run(main())
