import sys

if sys.version_info >= (3, 10):
    from langgraph.prebuilt import create_react_agent
else:
    create_react_agent = None


def build(llm):
    if create_react_agent is None:
        raise RuntimeError("too old")
    return create_react_agent(llm, [])
