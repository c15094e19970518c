from langchain_core.messages import SystemMessage
from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    return [SystemMessage("Be brief.")] + state["messages"]


def build(model):
    return create_react_agent(model, [add], prompt=prompt)


def test_prompt():
    assert len(prompt({"messages": []})) == 1
