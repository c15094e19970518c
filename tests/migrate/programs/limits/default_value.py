from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def walk(steps: int) -> int:
    """Walk."""
    return steps


agent = create_react_agent(ChatOpenAI(), [walk])
out = agent.invoke({"messages": [("user", "walk")]}, config={"recursion_limit": 25})
print(out["messages"][-1].content)
