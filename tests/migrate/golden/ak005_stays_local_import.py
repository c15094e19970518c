SCRIPT = ["one", "two"]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def trim(state):
    return {"llm_input_messages": state["messages"][-2:]}


def build(model):
    from langgraph.prebuilt import create_react_agent

    return create_react_agent(model, [add], pre_model_hook=trim)
