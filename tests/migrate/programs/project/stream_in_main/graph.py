from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def tail(file: str) -> str:
    """The end of a file."""
    return f"end of {file}"


agent = create_react_agent(ChatOpenAI(), [tail])
