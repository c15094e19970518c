# agent: get_agent()
from functools import lru_cache

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM_PROMPT = "You file expenses."


def file_expense(amount: float, reason: str) -> str:
    """File an expense."""
    return f"filed {amount} for {reason}"


@lru_cache
def get_agent():
    llm = ChatOpenAI()
    tools = [file_expense]
    try:
        return create_react_agent(llm, tools, prompt=SYSTEM_PROMPT)
    except TypeError:
        # langgraph before 0.3
        return create_react_agent(llm, tools, state_modifier=SYSTEM_PROMPT)
