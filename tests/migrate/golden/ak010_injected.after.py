from typing import Annotated

from langchain.agents import create_agent
from langgraph.prebuilt import InjectedState
from langchain.agents import AgentState
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
    return create_agent(model, [whoami], state_schema=State)
