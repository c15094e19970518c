from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(llm):
    # TODO(agentkit): AK009 llm is not always a plain chat model, as this file shows
    return create_react_agent(llm, [add])


agent = make(model.bind_tools([add], tool_choice="any"))
