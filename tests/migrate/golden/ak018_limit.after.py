from langchain.agents import create_agent

RUNS = False  # what differs at the limit is what the note says
# TODO(agentkit): AK018 at this limit create_agent raises GraphRecursionError, where create_react_agent answered
CONFIG = {"recursion_limit": 3}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])
