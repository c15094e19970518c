from langgraph.graph import StateGraph
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}]


class State(AgentState):
    user: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


graph = StateGraph(State)


def build(model):
    return create_react_agent(model, [add], state_schema=State)
