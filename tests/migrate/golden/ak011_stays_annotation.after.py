from agentkit.agents.interrupt import HumanInterrupt
from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def describe(request: HumanInterrupt) -> str:
    return request["action_request"]["action"]


def make(model, **more):
    # TODO(agentkit): AK002 arguments are hidden in **more
    return create_react_agent(model, [add], **more)


def build(model):
    return make(model)
