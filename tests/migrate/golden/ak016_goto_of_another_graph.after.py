from langchain.agents import create_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command


def route(state):
    return Command(goto="agent")


builder = StateGraph(MessagesState)
builder.add_node("route", route)
builder.add_node("agent", create_agent(model, [add]))
builder.add_edge(START, "route")
graph = builder.compile()

RUNS = False  # the node of the outer graph keeps its name
