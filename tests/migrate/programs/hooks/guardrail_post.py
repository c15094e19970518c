from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

BLOCKED = ("password",)


def guard(state):
    last = state["messages"][-1]
    if any(word in str(last.content).lower() for word in BLOCKED):
        return {"messages": [AIMessage(content="I can't say that.", id=last.id)]}
    return {}


def vault(name: str) -> str:
    """Read from the vault."""
    return "password: 123"


agent = create_react_agent(ChatOpenAI(), [vault], post_model_hook=guard)
