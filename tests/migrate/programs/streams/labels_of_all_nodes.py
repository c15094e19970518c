# stays: AK016
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

LABELS = {"agent": "Thinking", "tools": "Working"}


def dig(depth: int) -> str:
    """Dig."""
    return f"{depth} m"


agent = create_react_agent(ChatOpenAI(), [dig])
for chunk in agent.stream({"messages": [("user", "dig")]}, stream_mode="updates"):
    for node_name in chunk:
        print(LABELS[node_name])
