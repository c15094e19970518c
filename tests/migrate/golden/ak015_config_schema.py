from langgraph.prebuilt import create_react_agent
from typing_extensions import TypedDict


class Config(TypedDict):
    user: str


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    return create_react_agent(model, [add], config_schema=Config)
