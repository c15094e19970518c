from agentkit.prebuilt import create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentStatePydantic

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}]


class State(AgentStatePydantic):
    user: str = "nobody"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK010 State is no TypedDict that this file shows, so its values are models
    return create_react_agent(model, [add], state_schema=State)
