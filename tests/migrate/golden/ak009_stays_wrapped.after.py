from agentkit.prebuilt import create_react_agent

SCRIPT = ["one", "two"]


def build(model):
    # TODO(agentkit): AK009 the model was made with with_config(), which create_agent does not keep
    return create_react_agent(model.with_config(tags=["mine"]), [])
