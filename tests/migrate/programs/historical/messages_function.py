# historical
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def _modify_messages(messages):
    return [SystemMessage(content="Answer in Pirate.")] + messages


def sail(where: str) -> str:
    """Sail."""
    return f"arr, {where}"


agent = create_react_agent(ChatOpenAI(), [sail], messages_modifier=_modify_messages)
