# inputs: [{"messages": [("user", "hi")], "plan": "x"}]
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from state import PlanState


def steps(goal: str) -> list[str]:
    """Steps to a goal."""
    return [goal]


agent = create_react_agent(ChatOpenAI(), [steps], state_schema=PlanState, prompt="You plan.")
