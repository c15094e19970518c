from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

RULES = ["No politics.", "No medical advice."]


def joke(topic: str) -> str:
    """Tell a joke."""
    return f"A {topic} walks into a bar."


agent = create_react_agent(
    ChatOpenAI(),
    [joke],
    prompt=lambda state: [SystemMessage("\n".join(RULES)), *state["messages"]],
)
