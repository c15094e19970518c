from langgraph.prebuilt import create_react_agent

RUNS = False  # what differs at the limit is what the note says
CONFIG = {"recursion_limit": 3}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
