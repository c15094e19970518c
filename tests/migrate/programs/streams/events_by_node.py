# agent: make()
import asyncio

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def half(x: float) -> float:
    """Half of x."""
    return x / 2


def make():
    return create_react_agent(ChatOpenAI(), [half])


async def main():
    agent = make()
    async for event in agent.astream_events({"messages": [("user", "half of 5")]}, version="v2"):
        kind = event["event"]
        if kind == "on_chat_model_stream" and event["metadata"].get("langgraph_node") == "agent":
            print("token", event["data"]["chunk"].content)
        elif kind == "on_tool_start":
            print("start", event["name"], event["data"]["input"])


asyncio.run(main())
