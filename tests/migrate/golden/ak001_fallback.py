try:
    from langgraph.prebuilt import create_react_agent
except ImportError:
    create_react_agent = None


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add])
