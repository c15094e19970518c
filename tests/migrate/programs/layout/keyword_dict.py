# agent: build(prompt="You count.")
# stays: AK002
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def count(text: str) -> int:
    """Count."""
    return len(text)


def build(**overrides):
    options = {"model": ChatOpenAI(), "tools": [count], **overrides}
    return create_react_agent(**options)
