# agent: make("Ida")
from string import Template

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

GREETING = Template("You greet $name. ")


def wave(times: int) -> str:
    """Wave."""
    return "o/" * times


def make(user):
    instructions = GREETING.substitute(name=user) + "Stay %s." % "calm"
    return create_react_agent(ChatOpenAI(), [wave], prompt=instructions)
