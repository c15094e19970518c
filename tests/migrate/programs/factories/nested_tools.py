# agent: build_for("kim")
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

ORDERS = {"kim": ["book"], "bo": []}


def build_for(user: str):
    @tool
    def my_orders() -> list[str]:
        """The user's orders."""
        return ORDERS[user]

    @tool
    def cancel(order: str) -> str:
        """Cancel an order."""
        return f"{order} of {user} cancelled"

    prompt = (
        f"You serve {user}.\n"
        "Be quick.\n"
    )
    return create_react_agent(ChatOpenAI(), [my_orders, cancel], prompt=prompt)
