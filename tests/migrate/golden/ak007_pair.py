from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel

STRUCTURED = {"city": "Rome"}


class City(BaseModel):
    city: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add], response_format=("Name the city.", City))
