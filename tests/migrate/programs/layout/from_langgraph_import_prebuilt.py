from langchain_openai import ChatOpenAI
from langgraph import prebuilt


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


agent = prebuilt.create_react_agent(ChatOpenAI(), tools=prebuilt.ToolNode([add]))
