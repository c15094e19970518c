from langgraph.prebuilt import create_react_agent

HISTORICAL = True
SCRIPT = ["done", "well"]  # what goes by the number of messages would call tools forever


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def modify(state):
    return state["messages"][-2:]


def build(model):
    return create_react_agent(model, [add], state_modifier=modify)
