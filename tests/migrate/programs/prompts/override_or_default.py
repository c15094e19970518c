# agent: build_agent("Answer in Dutch.")
from typing import Optional

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

DEFAULT_PROMPT = "You debug programs."


def read_file(name: str) -> str:
    """Read a file."""
    return f"# {name}"


def build_agent(system_message_override: Optional[str] = None):
    system_message = system_message_override or DEFAULT_PROMPT
    return create_react_agent(ChatOpenAI(), [read_file], prompt=system_message)


print(build_agent().invoke({"messages": [("user", "x")]})["messages"][-1].content)
