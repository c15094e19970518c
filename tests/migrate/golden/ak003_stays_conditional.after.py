import os

from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


PROMPT = "Be brief." if "NEVER" not in os.environ else (lambda state: state["messages"])


def build(model):
    # TODO(agentkit): AK004 prompt=PROMPT is no text or function that this file shows
    return create_react_agent(model, [add], prompt=PROMPT)
