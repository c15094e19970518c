# agent: none
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


def test_nodes():
    agent = create_react_agent(ChatOpenAI(), [f])
    seen = set()
    for chunk in agent.stream({"messages": [("user", "x")]}, stream_mode="updates"):
        seen.update(chunk)
    assert seen == {"agent", "tools"}


def test_answer():
    agent = create_react_agent(ChatOpenAI(), [f], prompt="You answer.")
    assert agent.invoke({"messages": [("user", "x")]})["messages"][-1].type == "ai"


test_nodes()
test_answer()
print("passed")
