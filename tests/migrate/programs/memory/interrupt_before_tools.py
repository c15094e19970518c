# inputs: [{"messages": [("user", "x")]}, None]
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


def wire(amount: float) -> str:
    """Wire money."""
    return f"sent {amount}"


memory = MemorySaver()
agent = create_react_agent(ChatOpenAI(), [wire], interrupt_before=["tools"], checkpointer=memory)
