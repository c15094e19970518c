# stays: AK004
from functools import partial

from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def prompt_for(state, language):
    return [SystemMessage(content=f"Answer in {language}.")] + state["messages"]


def translate(text: str) -> str:
    """Translate."""
    return text[::-1]


agent = create_react_agent(ChatOpenAI(), [translate], prompt=partial(prompt_for, language="Czech"))
