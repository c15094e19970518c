from langgraph.prebuilt import create_react_agent

REGISTRY = {}


def register(name):
    def deco(fn):
        REGISTRY[name] = fn
        return fn

    return deco


@register("plain")
def plain(model):
    return create_react_agent(model, [])


@register("polite")
def polite(model):
    return create_react_agent(model, [], prompt="Be polite.", version="v2")


BUILDERS = {"raw": create_react_agent}
