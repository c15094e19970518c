from typing import Annotated

from langgraph.prebuilt import InjectedState, create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState
from typing_extensions import NotRequired

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}]
SCRIPT = [{"name": "whoami", "args": {}}, "done"]


class Base(AgentState):
    user: NotRequired[str]


class State(Base):
    pass


def whoami(state: Annotated[State, InjectedState]) -> str:
    """Say who asks."""
    return state["user"]


def build(model):
    return create_react_agent(model, [whoami], state_schema=State)
