from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Bot:
    def __init__(self, model):
        self.model: object = model.bind_tools([add], tool_choice="any")
        self.agent = create_react_agent(self.model, [add])


agent = Bot(model).agent
