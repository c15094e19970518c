from langchain.agents import create_agent

SCRIPT = ["one", "two", "three"]


def build(model):
    return create_agent(model, tools=[])
