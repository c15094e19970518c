from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


DEFAULT = "Be brief."


def make(model, custom=None):
    # TODO(agentkit): AK004 prompt=custom or DEFAULT is no text or function that this file shows
    return create_react_agent(model, [add], prompt=custom or DEFAULT)


def build(model):
    return make(model)
