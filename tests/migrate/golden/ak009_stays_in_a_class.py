from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Settings:
    model = model.bind_tools([add], tool_choice="any")


class Bot:
    def __init__(self, model):
        self.model = model
        self.model = self.model.bind_tools([add], tool_choice="any")
        self.agent = create_react_agent(self.model, [add])


agent = Bot(model).agent
other = create_react_agent(Settings.model, [add])
