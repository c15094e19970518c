# agent: build(CHEF)
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

CHEF = "You cook."
WAITER = "You serve."


def taste(dish: str) -> str:
    """Taste."""
    return f"{dish} is fine"


def build(instructions):
    return create_react_agent(ChatOpenAI(), [taste], prompt=instructions)


chef, waiter = build(CHEF), build(instructions=WAITER)
print(waiter.invoke({"messages": [("user", "menu")]})["messages"][-1].content)
