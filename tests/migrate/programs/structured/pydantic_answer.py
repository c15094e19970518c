# structured: {"city": "Oslo", "degrees": 4}
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel, Field


class Weather(BaseModel):
    """The weather somewhere."""

    city: str
    degrees: int = Field(description="in Celsius")


def get_weather(city: str) -> str:
    """Weather."""
    return "4 degrees"


agent = create_react_agent(ChatOpenAI(), [get_weather], response_format=Weather)
print(agent.invoke({"messages": [("user", "Oslo?")]})["structured_response"])
