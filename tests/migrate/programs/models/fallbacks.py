# stays: AK009
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def news(topic: str) -> str:
    """News."""
    return f"{topic}: quiet"


tools = [news]
primary = ChatOpenAI(model="gpt-4o").bind_tools(tools)
backup = ChatAnthropic(model="claude-3-5-haiku-latest").bind_tools(tools)
agent = create_react_agent(primary.with_fallbacks([backup]), tools)
