from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from pydantic import BaseModel


class City(BaseModel):
    name: str


def get():
    return model


STRUCTURED = City(name="Rome")
agent = create_react_agent(get(), [add], response_format=City)
