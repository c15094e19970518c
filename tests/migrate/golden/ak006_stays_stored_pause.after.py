from agentkit.prebuilt import create_react_agent
from langgraph.types import interrupt


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def ask(state):
    if getattr(state["messages"][-1], "tool_calls", None):
        interrupt("go on?")
    return {}


def build(model, saver=None):
    # TODO(agentkit): AK006 stored threads may wait in this hook, and its node gets another name
    return create_react_agent(model, [add], post_model_hook=ask, checkpointer=saver)
