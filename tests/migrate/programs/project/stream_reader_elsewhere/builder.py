from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def note(text: str) -> str:
    """Note."""
    return text


agent = create_react_agent(ChatOpenAI(), [note], prompt="You note.")
