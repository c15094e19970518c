import asyncio

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


async def shrink(state):
    await asyncio.sleep(0)
    return {"llm_input_messages": state["messages"][-4:]}


async def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], pre_model_hook=shrink)
