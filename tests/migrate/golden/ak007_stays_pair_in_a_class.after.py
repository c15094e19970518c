from agentkit.prebuilt import create_react_agent
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
# TODO(agentkit): AK007 response_format is a (prompt, schema) pair
agent = create_react_agent(model, [add], response_format=Formats.city)
