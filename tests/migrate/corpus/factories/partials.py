import functools

import langgraph.prebuilt

make_v1 = functools.partial(langgraph.prebuilt.create_react_agent, version="v1")


def build(llm):
    return langgraph.prebuilt.create_react_agent(llm, [], prompt="x")
