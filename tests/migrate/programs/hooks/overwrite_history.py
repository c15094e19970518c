from langchain_core.messages import RemoveMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt import create_react_agent

KEEP = 4


def shorten(state):
    messages = state["messages"]
    if len(messages) <= KEEP:
        return {}
    return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *messages[-KEEP:]]}


def ask(question: str) -> str:
    """Ask."""
    return "yes"


agent = create_react_agent(ChatOpenAI(), [ask], pre_model_hook=shorten, checkpointer=InMemorySaver())
