from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def get_weather(city: str) -> str:
    """Get the weather in a city."""
    return f"Sunny in {city}."


agent = create_react_agent(
    model=ChatOpenAI(model="gpt-4o-mini", temperature=0),
    tools=[get_weather],
    prompt="You are a weather assistant.",
)

if __name__ == "__main__":
    result = agent.invoke({"messages": [{"role": "user", "content": "weather in Oslo?"}]})
    print(result["messages"][-1].content)
