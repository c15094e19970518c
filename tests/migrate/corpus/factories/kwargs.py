from langgraph.prebuilt import create_react_agent


def make_agent(model, tools=None, *, prompt=None, **kwargs):
    # kwargs: checkpointer, store, ...
    return create_react_agent(model, tools or [], prompt=prompt, **kwargs)
