try:
    from langchain.agents import create_agent
except ImportError:
    create_agent = None


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_agent(model, [add])
