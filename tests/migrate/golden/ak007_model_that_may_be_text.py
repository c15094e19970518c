from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


import os

from pydantic import BaseModel


class City(BaseModel):
    name: str


MODELS = {"text": os.getenv("MODEL", "openai:gpt-5.5"), "object": model}
STRUCTURED = City(name="Rome")
agent = create_react_agent(MODELS["object"], [add], response_format=City)
