# stays: AK010
from typing import Annotated

from langchain_core.messages import AnyMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.graph.message import add_messages
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel


class Session(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages]
    remaining_steps: RemainingSteps = 25
    locale: str = "de"


def prompt(state: Session):
    return [SystemMessage(f"Locale: {state.locale}"), *state.messages]


def shop(item: str) -> str:
    """Shop."""
    return item


agent = create_react_agent(ChatOpenAI(), [shop], prompt=prompt, state_schema=Session)
