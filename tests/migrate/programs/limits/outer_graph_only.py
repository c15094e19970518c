# agent: graph
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def fact(topic: str) -> str:
    """A fact."""
    return f"{topic} is old"


scholar = create_react_agent(ChatOpenAI(), [fact], prompt="You are a scholar.")
builder = StateGraph(MessagesState)
builder.add_node("scholar", scholar)
builder.add_edge(START, "scholar")
graph = builder.compile()
config = {"recursion_limit": 50}
for step in graph.stream({"messages": [("user", "Rome")]}, config):
    print(step["scholar"]["messages"][-1].content)
