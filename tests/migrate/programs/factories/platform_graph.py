# stays: AK004
# agent: asyncio.run(make_graph({"configurable": {"model": "gpt-4o"}}))
import asyncio

from langchain.chat_models import init_chat_model
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import create_react_agent


def ask(question: str) -> str:
    """Ask."""
    return "yes"


async def make_graph(config: RunnableConfig):
    """The entry of langgraph.json."""
    settings = config.get("configurable", {})
    model = init_chat_model(settings.get("model", "gpt-4o-mini"), model_provider="openai")
    prompt = settings.get("system_prompt", "You are an assistant.")
    return create_react_agent(model, tools=[ask], prompt=prompt)
