from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: chunk["agent"]
agent = create_react_agent(model, [add])


def render(chunk):
    """Called from elsewhere with what the agent streams."""
    return chunk["agent"]["messages"][-1].content


SHOWN = list(map(render, (c for c in agent.stream({"messages": [("user", "hi")]}) if "tools" not in c)))
