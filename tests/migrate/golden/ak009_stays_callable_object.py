from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Pick:
    def __call__(self, state, runtime):
        return model.bind_tools([add])


agent = create_react_agent(Pick(), [add])
