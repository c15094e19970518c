from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

BASE = "Be polite."


def get_prompt(role):
    if role == "sales":
        return BASE + " You sell."
    return f"{BASE} You support {role}."


def price(item: str) -> float:
    """The price of an item."""
    return 9.99


agent = create_react_agent(ChatOpenAI(), [price], prompt=get_prompt("sales"))
