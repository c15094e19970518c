from langgraph.graph import END, START, MessagesState, StateGraph

from nodes import planner_node, writer_node

builder = StateGraph(MessagesState)
builder.add_node("planner", planner_node)
builder.add_node("writer", writer_node)
builder.add_edge(START, "planner")
builder.add_edge("planner", "writer")
builder.add_edge("writer", END)
graph = builder.compile()
