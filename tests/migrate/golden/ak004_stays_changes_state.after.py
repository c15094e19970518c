from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    messages = state["messages"]
    messages.append(("user", "Be brief."))
    return [("system", "You add.")] + state["messages"]


def build(model):
    # TODO(agentkit): AK004 the prompt function changes the state in place
    return create_react_agent(model, [add], prompt=prompt)


RUNS = False
