from langgraph.checkpoint.memory import MemorySaver
from langchain.agents import create_agent
from agentkit.agents.interrupt import (
    ActionRequest,
    HumanInterrupt,
    HumanInterruptConfig,
)
from langgraph.types import Command, interrupt

INPUTS = [{"messages": [("user", "hi")]}, Command(resume=[{"type": "accept", "args": None}])]
SCRIPT = [{"name": "send", "args": {"to": "ada"}}, "done"]


def send(to: str) -> str:
    """Send a message."""
    request: HumanInterrupt = {
        "action_request": ActionRequest(action="send", args={"to": to}),
        "config": HumanInterruptConfig(
            allow_ignore=True, allow_respond=True, allow_edit=False, allow_accept=True
        ),
        "description": None,
    }
    return str(interrupt([request])[0]["type"])


def build(model):
    return create_agent(model, [send], checkpointer=MemorySaver())
