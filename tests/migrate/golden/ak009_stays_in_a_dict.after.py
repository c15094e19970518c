from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


MODELS = {"fast": model, "strict": model.bind_tools([add], tool_choice="any")}
# TODO(agentkit): AK009 MODELS["strict"] is not always a plain chat model, as this file shows
agent = create_react_agent(MODELS["strict"], [add])
# TODO(agentkit): AK009 MODELS.get("strict") is not always a plain chat model, as this file shows
other = create_react_agent(MODELS.get("strict"), [add])
