from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state: AgentState):
    return [("system", f"{state['remaining_steps'] > 2}"), *state["messages"]]


def build(model):
    return create_react_agent(model, [add], prompt=prompt)
