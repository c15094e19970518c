from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM_TEXT = "You translate into French."
chat_prompt = ChatPromptTemplate.from_messages([("system", SYSTEM_TEXT), ("placeholder", "{messages}")])


def dictionary(word: str) -> str:
    """Look a word up."""
    return {"cat": "chat"}.get(word, "?")


agent = create_react_agent(ChatOpenAI(), tools=[dictionary], prompt=chat_prompt)
