# agent: make()
import asyncio

import chainlit as cl
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def sql(query: str) -> str:
    """Run a query."""
    return "3 rows"


def make():
    return create_react_agent(model=ChatOpenAI(streaming=True), tools=[sql], prompt="You answer from the database.")


@cl.on_chat_start
async def start():
    cl.user_session.set("agent", make())


@cl.on_message
async def on_message(message: cl.Message):
    agent = cl.user_session.get("agent")
    answer = cl.Message(content="")
    async for chunk, metadata in agent.astream({"messages": [HumanMessage(message.content)]}, stream_mode="messages"):
        if isinstance(chunk, AIMessageChunk) and metadata["langgraph_node"] == "agent":
            await answer.stream_token(str(chunk.content))
    await answer.send()


async def main():
    await start()
    await on_message(cl.Message("how many?"))


if __name__ == "__main__":
    asyncio.run(main())
