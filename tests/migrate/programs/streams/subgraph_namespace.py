# stays: AK016
# agent: app
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def peak(name: str) -> int:
    """Height of a peak."""
    return 4808


climber = create_react_agent(ChatOpenAI(), [peak], name="climber")
builder = StateGraph(MessagesState)
builder.add_node("climber", climber)
builder.add_edge(START, "climber")
app = builder.compile()
for namespace, update in app.stream({"messages": [("user", "height?")]}, stream_mode="updates", subgraphs=True):
    where = namespace[0].split(":")[0] if namespace else "outer"
    if where == "climber" and "agent" in update:
        print("climber says", update["agent"]["messages"][-1].content)
    elif not namespace:
        print("outer", list(update))
