import langgraph.prebuilt as lgp
from langchain_openai import ChatOpenAI


def ping(host: str) -> str:
    """Ping."""
    return "pong"


agent = lgp.create_react_agent(ChatOpenAI(), [ping], prompt="You ping.")
print(agent.invoke({"messages": [("user", "ping")]})["messages"][-1].content)
