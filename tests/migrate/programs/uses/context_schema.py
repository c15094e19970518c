# context: {"user": "kim"}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.runtime import get_runtime
from typing_extensions import TypedDict


class Context(TypedDict):
    user: str


def whoami() -> str:
    """Who is asking?"""
    return get_runtime(Context).context["user"]


agent = create_react_agent(ChatOpenAI(), [whoami], context_schema=Context)
