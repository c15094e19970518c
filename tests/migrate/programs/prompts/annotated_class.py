# agent: Prompts and agent
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


class Prompts:
    SYSTEM: str = "You are a planner. Plan in three steps."
    REVIEW: str = "You review plans."


def plan(goal: str) -> list[str]:
    """Make a plan."""
    return [goal, goal.upper()]


agent = create_react_agent(ChatOpenAI(), [plan], prompt=Prompts.SYSTEM)
reviewer = create_react_agent(ChatOpenAI(), [plan], prompt=Prompts.REVIEW)
print(reviewer.invoke({"messages": [("user", "review")]})["messages"][-1].content)
