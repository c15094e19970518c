# agent: build_agent()
# historical
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def costs(service: str) -> float:
    """What did a service cost?"""
    return 12.5


def build_agent():
    system_prompt = "You explain cloud bills."

    def add_system_prompt(state):
        """Add the system prompt to the state."""
        return [SystemMessage(content=system_prompt)] + state["messages"]

    model = ChatOpenAI(model="gpt-4o")
    return create_react_agent(model, [costs], state_modifier=add_system_prompt)
