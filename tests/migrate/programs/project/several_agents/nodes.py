from langchain_core.messages import HumanMessage
from langgraph.graph import MessagesState

from agents import planner, writer


def planner_node(state: MessagesState):
    result = planner.invoke(state)
    return {"messages": [HumanMessage(content=result["messages"][-1].content, name="planner")]}


def writer_node(state: MessagesState):
    result = writer.invoke({"messages": state["messages"]})
    return {"messages": [HumanMessage(content=result["messages"][-1].content, name="writer")]}
