from langgraph.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def update(messages):
    return {"llm_input_messages": messages} if len(messages) > 1 else {"messages": []}


def build(model):
    def hook(state):
        return update(state["messages"])

    return create_react_agent(model, [add], pre_model_hook=hook)
