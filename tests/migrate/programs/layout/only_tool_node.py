# agent: graph
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


def temp(city: str) -> int:
    """Temperature."""
    return 20


llm = ChatOpenAI().bind_tools([temp])


def agent(state: MessagesState):
    return {"messages": [llm.invoke(state["messages"])]}


builder = StateGraph(MessagesState)
builder.add_node("agent", agent)
builder.add_node("tools", ToolNode([temp]))
builder.add_edge(START, "agent")
builder.add_conditional_edges("agent", tools_condition)
builder.add_edge("tools", "agent")
graph = builder.compile()
for chunk in graph.stream({"messages": [("user", "temp?")]}):
    if "agent" in chunk:
        print(chunk["agent"]["messages"][-1].content)
