from typing import Annotated, TypedDict

from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt

INPUTS = [{"messages": [("user", "hi")], "user": "Ada"}, {"messages": [("user", "again")], "user": "Bob"}]


class State(TypedDict):
    messages: Annotated[list, add_messages]
    # asked for by the agent
    user: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@dynamic_prompt
def prompt(request: ModelRequest):
    state = request.state
    return f"Help {state['user']}."


def build(model):
    return create_agent(model, [add], middleware=[prompt], state_schema=State)
