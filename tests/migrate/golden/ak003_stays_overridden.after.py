from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Bot:
    prompt = "You add."

    def build(self):
        # TODO(agentkit): AK004 prompt=self.prompt is no text or function that this file shows
        return create_react_agent(model, [add], prompt=self.prompt)


class Other(Bot):
    def prompt(self, state):
        return [("system", "You add."), *state["messages"]]


agent = Other().build()
