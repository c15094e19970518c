from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    arguments = (model, [add])
    # TODO(agentkit): AK002 arguments are hidden in *arguments
    return create_react_agent(*arguments)
