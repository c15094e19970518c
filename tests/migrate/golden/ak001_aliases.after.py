from langchain.agents import create_agent
from langgraph.prebuilt import InjectedState as IS
from langgraph.prebuilt import tools_condition  # noqa: F401
from typing_extensions import Annotated


def whoami(state: Annotated[dict, IS]) -> str:
    """Say how long the conversation is."""
    return str(len(state["messages"]))


SCRIPT = [{"name": "whoami", "args": {}}, "done"]


def build(model):
    return create_agent(model, [whoami])
