from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

SYSTEM = SystemMessage(content="You remember only what was said last.")


def _with_system(state):
    # only the last few messages, the system message first
    recent = state["messages"][-6:]
    return [SYSTEM] + recent


def now() -> str:
    """The time."""
    return "12:00"


agent = create_react_agent(ChatOpenAI(model="gpt-4o"), [now], prompt=_with_system)
