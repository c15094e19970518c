try:
    from agentkit.prebuilt import create_react_agent
except ImportError:
    create_react_agent = None


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # TODO(agentkit): AK001 create_react_agent is bound more than once
    return create_react_agent(model, [add])
