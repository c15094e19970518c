from typing import Annotated

from langgraph.graph.message import add_messages
from langgraph.managed import IsLastStep, RemainingSteps
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel
from typing_extensions import TypedDict


class Model(BaseModel):
    messages: Annotated[list, add_messages]
    remaining_steps: RemainingSteps = 25


class Plain(TypedDict):
    messages: Annotated[list, add_messages]
    is_last_step: IsLastStep
    remaining_steps: RemainingSteps
    today: str


a = create_react_agent("openai:gpt-4o", [], state_schema=Model)
b = create_react_agent("openai:gpt-4o", [], state_schema=Plain)
