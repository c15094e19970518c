"""Builds the agent of the application."""

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from .prompts import SYSTEM_PROMPT
from .tools import TOOLS


def build_agent(model=None):
    return create_react_agent(model or ChatOpenAI(), TOOLS, prompt=SYSTEM_PROMPT, name="app")
