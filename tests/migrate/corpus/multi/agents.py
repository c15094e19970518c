from langgraph.prebuilt import create_react_agent

from .prompts import SYSTEM_PROMPT, make_prompt
from .state import State


def planner(llm):
    return create_react_agent(llm, [], prompt=SYSTEM_PROMPT, name="planner")


def writer(llm):
    return create_react_agent(llm, [], prompt=make_prompt("writer"), state_schema=State, name="writer")
