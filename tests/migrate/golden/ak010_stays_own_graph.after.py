from langgraph.graph import StateGraph
from agentkit.prebuilt import create_react_agent
from agentkit.prebuilt.chat_agent_executor import AgentState

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}]


class State(AgentState):
    user: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


graph = StateGraph(State)


def build(model):
    # TODO(agentkit): AK010 State, or its base, is used for more than this agent
    return create_react_agent(model, [add], state_schema=State)
