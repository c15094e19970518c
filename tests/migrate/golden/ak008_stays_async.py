from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


HOW = ["async"]


def build(model):
    async def pick(state, runtime):
        return model.bind_tools([add])

    return create_react_agent(pick, [add])
