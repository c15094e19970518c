# The loop by hand: only ToolNode and tools_condition are taken from prebuilt.
from typing import Annotated

from langchain_openai import ChatOpenAI
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, tools_condition
from typing_extensions import TypedDict


class State(TypedDict):
    messages: Annotated[list, add_messages]


def search(query: str) -> str:
    """Search."""
    return "nothing"


llm = ChatOpenAI().bind_tools([search])


def agent(state: State):
    return {"messages": [llm.invoke(state["messages"])]}


builder = StateGraph(State)
builder.add_node("agent", agent)
builder.add_node("tools", ToolNode([search]))
builder.add_edge(START, "agent")
builder.add_conditional_edges("agent", tools_condition)
builder.add_edge("tools", "agent")
graph = builder.compile()
for event in graph.stream({"messages": [("user", "hi")]}):
    if "agent" in event:
        print(event["agent"]["messages"][-1])
