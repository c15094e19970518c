from langgraph.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


agent = create_react_agent(model, [add])


async def show(question):
    async for event in agent.astream_events(question, version="v2"):
        if event["name"] == "agent":
            print(event["data"])
