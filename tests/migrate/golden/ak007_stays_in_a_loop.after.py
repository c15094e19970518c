from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from pydantic import BaseModel


class City(BaseModel):
    name: str


class Town(BaseModel):
    name: str


STRUCTURED = City(name="Rome")
agents = []
for schema in (City, Town):
    # TODO(agentkit): AK007 response_format= changes in a loop, and middleware would see the last value
    agents.append(create_react_agent(model, [add], response_format=schema))
agent = agents[0]
