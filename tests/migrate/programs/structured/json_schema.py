# structured: {"name": "Ada"}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SCHEMA = {
    "title": "person",
    "description": "A person.",
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}


def find(number: int) -> str:
    """Find a person."""
    return "Ada"


agent = create_react_agent(ChatOpenAI(), [find], response_format=SCHEMA)
