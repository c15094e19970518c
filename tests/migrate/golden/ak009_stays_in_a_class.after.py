from agentkit.prebuilt import create_react_agent
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
        # TODO(agentkit): AK009 self.model is not always a plain chat model, as this file shows
        self.agent = create_react_agent(self.model, [add])


agent = Bot(model).agent
# TODO(agentkit): AK009 Settings.model is not always a plain chat model, as this file shows
other = create_react_agent(Settings.model, [add])
