# agent: graph
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


worker = create_react_agent(ChatOpenAI(), [f], prompt="You work.", name="worker", checkpointer=True)
builder = StateGraph(MessagesState)
builder.add_node("worker", worker)
builder.add_edge(START, "worker")
graph = builder.compile(checkpointer=MemorySaver())
