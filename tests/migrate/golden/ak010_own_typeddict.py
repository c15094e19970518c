from typing import Annotated, TypedDict

from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import create_react_agent

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}, {"messages": [("user", "again")], "user": "Bob"}]


class State(TypedDict):
    messages: Annotated[list, add_messages]
    remaining_steps: RemainingSteps  # asked for by the agent
    user: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state: State):
    return [("system", f"Help {state['user']}."), *state["messages"]]


def build(model):
    return create_react_agent(model, [add], prompt=prompt, state_schema=State)
