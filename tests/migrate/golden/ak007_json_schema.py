from langgraph.prebuilt import create_react_agent

STRUCTURED = {"city": "Rome"}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(
        model,
        [add],
        prompt="Be brief.",
        response_format={"title": "City", "type": "object", "properties": {"city": {"type": "string"}}},
    )
