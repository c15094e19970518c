from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

history = []


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], prompt="You chat.")
for text in ("a", "b"):
    history.append({"role": "user", "text": text})
    out = agent.invoke({"messages": [("user", text)]})
    history.append({"role": "agent", "text": out["messages"][-1].content})
print([h["text"] for h in history if h["role"] == "agent"])
