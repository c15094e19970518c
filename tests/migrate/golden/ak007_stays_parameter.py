from langgraph.prebuilt import create_react_agent

STRUCTURED = {"city": "Rome"}
SCHEMA = {"title": "City", "type": "object", "properties": {"city": {"type": "string"}}}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def make(model, schema):
    return create_react_agent(model, [add], response_format=schema)


def build(model):
    return make(model, ("Name the city.", SCHEMA))
