# agent: graph
from typing import Annotated

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, create_react_agent
from typing_extensions import TypedDict


class State(TypedDict):
    messages: Annotated[list, add_messages]


def tide(port: str) -> str:
    """The tide at a port."""
    return "low"


expert = create_react_agent(ChatOpenAI(), [tide], prompt="You know tides.", name="expert")
model = ChatOpenAI().bind_tools([tide])


def call_model(state: State):
    return {"messages": [model.invoke(state["messages"])]}


def should_continue(state: State):
    return "tools" if state["messages"][-1].tool_calls else "expert"


builder = StateGraph(State)
builder.add_node("agent", call_model)
builder.add_node("tools", ToolNode([tide]))
builder.add_node("expert", expert)
builder.add_edge(START, "agent")
builder.add_conditional_edges("agent", should_continue, ["tools", "expert"])
builder.add_edge("tools", "agent")
builder.add_edge("expert", END)
graph = builder.compile()
for chunk in graph.stream({"messages": [("user", "tide?")]}):
    if "agent" in chunk:
        print("own node:", chunk["agent"]["messages"][-1].content)
