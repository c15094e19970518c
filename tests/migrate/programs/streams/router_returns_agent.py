# agent: graph
from typing import Literal

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def buy(item: str) -> str:
    """Buy something."""
    return f"bought {item}"


shopper = create_react_agent(ChatOpenAI(), tools=[buy], prompt="You buy.")


def classify(state: MessagesState) -> Literal["agent", "refuse"]:
    return "refuse" if "weapon" in str(state["messages"][-1].content) else "agent"


def refuse(state: MessagesState):
    return {"messages": [("ai", "No.")]}


workflow = StateGraph(MessagesState)
workflow.add_node("agent", shopper)
workflow.add_node("refuse", refuse)
workflow.add_conditional_edges(START, classify)
workflow.add_edge("agent", END)
workflow.add_edge("refuse", END)
graph = workflow.compile()
for update in graph.stream({"messages": [("user", "apples")]}, stream_mode="updates"):
    print(list(update), update["agent"]["messages"][-1].content)
