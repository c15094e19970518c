from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from pydantic import BaseModel, Field


class WeatherResponse(BaseModel):
    """Respond to the user with this."""

    temperature: float = Field(description="in celsius")
    wind: str


def get_weather(city: str) -> str:
    """Weather."""
    return "20 degrees, light breeze"


model = ChatOpenAI(model="gpt-4o")
graph = create_react_agent(model, tools=[get_weather], response_format=WeatherResponse)
response = graph.invoke({"messages": [("user", "weather in nyc?")]})
print(response["structured_response"])
# With extra instructions:
graph = create_react_agent(
    model, tools=[get_weather], response_format=("Always capitalize", WeatherResponse)
)
