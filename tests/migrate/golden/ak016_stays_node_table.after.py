from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: "agent": "thinking",
agent = create_react_agent(model, [add])
LABELS = {"agent": "thinking", "tools": "working"}
SHOWN = [LABELS[node] for chunk in agent.stream({"messages": [("user", "hi")]}) for node in chunk]
