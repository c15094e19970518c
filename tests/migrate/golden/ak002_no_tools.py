from langgraph.prebuilt import create_react_agent

SCRIPT = ["one", "two", "three"]


def build(model):
    return create_react_agent(model, tools=[])
