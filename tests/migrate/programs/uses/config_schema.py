# config: {"configurable": {"tenant": "acme"}}
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from typing_extensions import TypedDict


class Configurable(TypedDict):
    tenant: str


def tenant(config: RunnableConfig) -> str:
    """Which tenant?"""
    return config["configurable"]["tenant"]


agent = create_react_agent(ChatOpenAI(), [tenant], config_schema=Configurable)
