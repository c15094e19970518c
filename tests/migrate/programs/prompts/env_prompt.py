import os

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def say(text: str) -> str:
    """Say."""
    return text


agent = create_react_agent(ChatOpenAI(), [say], prompt=os.environ.get("SYSTEM_PROMPT", "You speak."))
