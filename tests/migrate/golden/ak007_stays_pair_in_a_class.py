from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from pydantic import BaseModel


class City(BaseModel):
    name: str


class Formats:
    city = ("Name the city.", City)


STRUCTURED = City(name="Rome")
agent = create_react_agent(model, [add], response_format=Formats.city)
