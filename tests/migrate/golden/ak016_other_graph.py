from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent
from scripted import model

SHOWN = []


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_react_agent(model, [add])
builder = StateGraph(MessagesState)
builder.add_node("agent", agent)
builder.add_edge(START, "agent")
graph = builder.compile()
for chunk in graph.stream({"messages": [("user", "hi")]}):
    SHOWN.append(len(chunk["agent"]["messages"]))
