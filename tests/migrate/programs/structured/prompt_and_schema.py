# structured: {"title": "x", "score": 3}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


class Review(BaseModel):
    title: str
    score: int


def read_paper(key: str) -> str:
    """Read a paper."""
    return "We show that."


agent = create_react_agent(
    ChatOpenAI(),
    tools=[read_paper],
    response_format=("Score strictly.", Review),
)
