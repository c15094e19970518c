from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Guard:
    def __call__(self, state):
        return {}


def build(model):
    return create_react_agent(model, [add], post_model_hook=Guard())
