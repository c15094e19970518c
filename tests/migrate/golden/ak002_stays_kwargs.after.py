from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(model, **kwargs):
    # TODO(agentkit): AK002 arguments are hidden in **kwargs
    return create_react_agent(model, [add], **kwargs)


def build(model):
    return make(model, prompt="Be brief.")
