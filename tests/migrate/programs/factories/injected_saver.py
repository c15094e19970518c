# agent: build_agent(InMemorySaver())
from langchain_groq import ChatGroq
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent


def stock(item: str) -> int:
    """How many are left?"""
    return 3


def build_agent(checkpointer: BaseCheckpointSaver):
    """Build the agent with the saver that the server owns."""
    llm = ChatGroq(model="mixtral", temperature=0)
    return create_react_agent(model=llm, tools=[stock], checkpointer=checkpointer)
