# agent: create_agent_for("billing")
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

PROMPTS = {
    "billing": "You answer questions about bills.",
    "tech": "You fix routers.",
}


def lookup(key: str) -> str:
    """Look something up."""
    return key[::-1]


def create_agent_for(team: str):
    return create_react_agent(ChatOpenAI(), [lookup], prompt=PROMPTS[team], name=team)
