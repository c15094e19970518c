# config: {"recursion_limit": 12}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def step(number: int) -> int:
    """Take a step."""
    return number + 1


agent = create_react_agent(ChatOpenAI(), [step])
result = agent.invoke({"messages": [("user", "walk")]}, {"recursion_limit": 12})
print(len(result["messages"]))
