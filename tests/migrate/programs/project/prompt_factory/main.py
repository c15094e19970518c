# agent: create_writer("blog")
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from prompts import get_prompt_template


def outline(topic: str) -> str:
    """Outline."""
    return topic


def create_writer(kind: str):
    return create_react_agent(
        model=ChatOpenAI(), tools=[outline], prompt=get_prompt_template(kind), name="writer"
    )
