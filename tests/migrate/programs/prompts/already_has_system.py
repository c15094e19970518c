# inputs: [{"messages": [("system", "mine"), ("user", "hi")]}, {"messages": [("user", "hi")]}]
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM_PROMPT = "You help."


def add_system(state):
    messages = state.get("messages", [])
    if not messages or not isinstance(messages[0], SystemMessage):
        return [SystemMessage(content=SYSTEM_PROMPT)] + list(messages)
    return messages


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], prompt=add_system)
