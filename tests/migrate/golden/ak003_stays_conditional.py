import os

from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


PROMPT = "Be brief." if "NEVER" not in os.environ else (lambda state: state["messages"])


def build(model):
    return create_react_agent(model, [add], prompt=PROMPT)
