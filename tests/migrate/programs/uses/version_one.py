# stays: AK018
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def a(x: int) -> int:
    """a."""
    return x


def b(x: int) -> int:
    """b."""
    return -x


agent = create_react_agent(ChatOpenAI(), [a, b], version="v1", prompt="You use both.")
