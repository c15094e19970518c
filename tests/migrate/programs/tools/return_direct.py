# stays: AK018
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool(return_direct=True)
def lookup(term: str) -> str:
    """Look a term up."""
    return f"{term}: a word"


agent = create_react_agent(ChatOpenAI(), [lookup])
