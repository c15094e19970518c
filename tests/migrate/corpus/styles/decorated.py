import functools

from langgraph.prebuilt import create_react_agent


def cached(fn):
    return functools.lru_cache(fn)


@cached
def agent_for(user: str, *, prompt: str = "Be kind."):
    with open("log") as log, open("other") as other:
        for line in log:
            if line:
                return create_react_agent("openai:gpt-4o", [], prompt=prompt)
            elif other:
                return create_react_agent("openai:gpt-4o", [], prompt=lambda state: state["messages"])
            else:
                return create_react_agent("openai:gpt-4o", [], version="v1")
