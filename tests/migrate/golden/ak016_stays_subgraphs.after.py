from langgraph.graph import START, MessagesState, StateGraph
from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: "agent" in chunk
agent = create_react_agent(model, [add], name="helper")
builder = StateGraph(MessagesState)
builder.add_node("helper", agent)
builder.add_edge(START, "helper")
graph = builder.compile()
SHOWN = []
for space, chunk in graph.stream({"messages": [("user", "hi")]}, subgraphs=True):
    if "agent" in chunk:
        SHOWN.append(len(space))
