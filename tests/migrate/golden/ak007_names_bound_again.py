from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


from pydantic import BaseModel


class City(BaseModel):
    name: str


STRUCTURED = City(name="Rome")
llm, schema = model, City
llm = model
agent = create_react_agent(llm, [add], response_format=schema)
llm = schema = None
