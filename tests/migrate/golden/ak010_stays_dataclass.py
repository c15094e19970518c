from dataclasses import dataclass
from typing import Annotated

from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class State(BaseModel):
    messages: Annotated[list, add_messages]
    remaining_steps: RemainingSteps = 25


def build(model):
    return create_react_agent(model, [add], state_schema=State)
