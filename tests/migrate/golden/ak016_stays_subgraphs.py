from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_react_agent(model, [add], name="helper")
builder = StateGraph(MessagesState)
builder.add_node("helper", agent)
builder.add_edge(START, "helper")
graph = builder.compile()
SHOWN = []
for space, chunk in graph.stream({"messages": [("user", "hi")]}, subgraphs=True):
    if "agent" in chunk:
        SHOWN.append(len(space))
