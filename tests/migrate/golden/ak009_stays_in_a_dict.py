from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


MODELS = {"fast": model, "strict": model.bind_tools([add], tool_choice="any")}
agent = create_react_agent(MODELS["strict"], [add])
other = create_react_agent(MODELS.get("strict"), [add])
