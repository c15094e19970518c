# historical
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import chat_agent_executor


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


agent = chat_agent_executor.create_tool_calling_executor(ChatOpenAI(), [add])
