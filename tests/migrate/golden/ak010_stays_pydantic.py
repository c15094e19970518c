from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentStatePydantic

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}]


class State(AgentStatePydantic):
    user: str = "nobody"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add], state_schema=State)
