from langchain_core.tools import StructuredTool, Tool, tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel, Field


class Search(BaseModel):
    query: str = Field(description="what to look for")
    limit: int = 3


def _search(query: str, limit: int = 3) -> str:
    return f"{limit} hits for {query}"


@tool("today")
def get_today() -> str:
    """Which day is it?"""
    return "Tuesday"


toolkit = [
    StructuredTool.from_function(func=_search, name="search", description="Search the web.", args_schema=Search),
    Tool(name="echo", func=lambda text: text, description="Echo."),
    get_today,
]
agent = create_react_agent(model=ChatOpenAI(model="gpt-4o"), tools=toolkit, name="mixed")
print(agent.name, [t.name for t in toolkit])
