# agent: build(tools=[double], prompt="You double.")
# stays: AK002
from functools import partial

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def double(x: float) -> float:
    """Double."""
    return 2 * x


build = partial(create_react_agent, ChatOpenAI())
