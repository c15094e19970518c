from langgraph.prebuilt import create_react_agent

SCRIPT = ["one", "two"]


def build(model):
    return create_react_agent(model.with_config(tags=["mine"]), [])
