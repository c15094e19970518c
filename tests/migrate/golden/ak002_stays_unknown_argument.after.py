from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK002 no rule for middleware=
    return create_react_agent(model, [add], middleware=[])
