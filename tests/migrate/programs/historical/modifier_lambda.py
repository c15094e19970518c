# historical
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

system = SystemMessage(content="You are formal.")


def greet(name: str) -> str:
    """Greet."""
    return f"Dear {name}"


agent = create_react_agent(
    ChatOpenAI(), [greet], state_modifier=lambda state: [system] + state["messages"]
)
