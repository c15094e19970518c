# agent: get_agent("a")
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

sessions: dict[str, dict] = {}


def f(x: int) -> int:
    """f."""
    return x


def get_agent(session_id):
    if session_id not in sessions:
        sessions[session_id] = {"agent": create_react_agent(ChatOpenAI(), [f]), "history": []}
    return sessions[session_id]["agent"]


def ask(session_id, text):
    agent = get_agent(session_id)
    history = sessions[session_id]["history"]
    history.append(("user", text))
    result = agent.invoke({"messages": history})
    history.append(("ai", result["messages"][-1].content))
    return history[-1][1]


print(ask("a", "one"), ask("a", "two"))
