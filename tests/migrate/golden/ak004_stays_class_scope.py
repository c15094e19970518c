from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Agents:
    def prompt(state):
        return [("system", "Be brief."), *state["messages"]]

    calculator = create_react_agent(model, [add], prompt=prompt)


agent = Agents.calculator
