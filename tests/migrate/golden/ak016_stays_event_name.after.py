from agentkit.prebuilt import create_react_agent
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# TODO(agentkit): AK016 the file reads a node name from what can't be traced to this agent: event["name"] == "agent"
agent = create_react_agent(model, [add])


async def show(question):
    async for event in agent.astream_events(question, version="v2"):
        if event["name"] == "agent":
            print(event["data"])
