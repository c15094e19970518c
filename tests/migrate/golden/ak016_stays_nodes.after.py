from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: agent.nodes["agent"]
agent = create_react_agent(model, [add])
SHOWN = agent.nodes["agent"] is not None
