from langchain_core.tools import tool
from langgraph.prebuilt import create_react_agent


@tool(return_direct=True)
def lookup(term: str) -> str:
    """Look a term up."""
    return term


agent = create_react_agent("openai:gpt-4o", [lookup])
