import os

from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

if os.getenv("USE_CLAUDE"):
    llm = ChatAnthropic(model="claude-3-5-sonnet-latest")
else:
    llm = ChatOpenAI(model="gpt-4o")


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(llm, [f], prompt="You f.")
