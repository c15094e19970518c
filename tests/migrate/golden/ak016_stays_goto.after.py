from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from langgraph.types import Command


def again(state):
    if len(state["messages"]) < 3:
        return Command(goto="agent")
    return {}


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: return Command(goto="agent")
agent = create_react_agent(model, [add], pre_model_hook=again)
