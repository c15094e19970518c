# structured: {"answer": "x", "sources": []}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from typing_extensions import Annotated, TypedDict


class Answer(TypedDict):
    """An answer with its sources."""

    answer: Annotated[str, ..., "the answer"]
    sources: Annotated[list[str], ..., "URLs"]


def search(query: str) -> str:
    """Search."""
    return "example.org"


agent = create_react_agent(model=ChatOpenAI(), tools=[search], response_format=Answer, prompt="Name your sources.")
