from langchain_core.messages import RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain.agents import AgentState

SCRIPT = ["one", "two", "three", "four"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@before_model
def trim(state: AgentState, runtime):
    """Keep the last three messages."""
    kept = state["messages"][-3:]
    return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *kept]}


def build(model):
    return create_agent(model, [add], middleware=[trim], checkpointer=InMemorySaver())
