import asyncio

from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


async def prompt(state):
    await asyncio.sleep(0)
    return [SystemMessage(content="You wait."), *state["messages"]]


async def wait(seconds: int) -> str:
    """Wait."""
    return "done"


agent = create_react_agent(ChatOpenAI(), [wait], prompt=prompt)
