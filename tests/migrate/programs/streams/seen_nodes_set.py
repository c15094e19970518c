from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def ping(host: str) -> str:
    """Ping."""
    return "ok"


agent = create_react_agent(ChatOpenAI(), [ping])
seen = []
for chunk in agent.stream({"messages": [("user", "ping")]}, stream_mode="updates"):
    seen.extend(chunk.keys())
print(len(seen), seen.count("tools"))
