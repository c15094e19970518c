from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def reminder(state):
    # no system message at all: the reminder comes last
    return state["messages"] + [HumanMessage(content="Remember: use metric units.")]


def convert(feet: float) -> float:
    """To metres."""
    return feet * 0.3


agent = create_react_agent(ChatOpenAI(), [convert], prompt=reminder)
