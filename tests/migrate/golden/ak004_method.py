from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Service:
    def __init__(self, model, tone):
        self.tone = tone
        self.agent = create_react_agent(model, [add], prompt=self._prompt)

    def _prompt(self, state):
        return [("system", f"Be {self.tone}."), *state["messages"]]


def build(model):
    return Service(model, "brief").agent
