# agent: build()
import asyncio

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


async def fetch(url: str) -> str:
    """Fetch a page."""
    await asyncio.sleep(0)
    return f"<h1>{url}</h1>"


def build():
    return create_react_agent(ChatOpenAI(), [fetch])


async def main():
    agent = build()
    result = await agent.ainvoke({"messages": [("user", "read example.org")]})
    print(result["messages"][-1].content)
    async for event in agent.astream({"messages": [("user", "again")]}, stream_mode="updates"):
        for update in event.values():
            print(len(update["messages"]))


asyncio.run(main())
