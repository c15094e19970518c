from langchain_core.messages import RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState

SCRIPT = ["one", "two", "three", "four"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def trim(state: AgentState):
    """Keep the last three messages."""
    kept = state["messages"][-3:]
    return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *kept]}


def build(model):
    return create_react_agent(model, [add], pre_model_hook=trim, checkpointer=InMemorySaver())
