# inputs: [{"messages": [("user", "hi")], "is_last_step": False}]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], prompt="You f.")
print(agent.invoke({"messages": [("user", "x")], "is_last_step": False})["messages"][-1].content)
