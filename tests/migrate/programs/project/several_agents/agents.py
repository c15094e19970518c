from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from templates import apply_template

llm = ChatOpenAI()


def search(query: str) -> str:
    """Search."""
    return f"about {query}"


planner = create_react_agent(llm, tools=[search], prompt=lambda state: apply_template("planner", state))
writer = create_react_agent(llm, tools=[], prompt=lambda state: apply_template("writer", state))
