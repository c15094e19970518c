from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent as create_agent_executor


def sort(items: list[str]) -> list[str]:
    """Sort."""
    return sorted(items)


agent = create_agent_executor(ChatOpenAI(), [sort], prompt="You sort.")
