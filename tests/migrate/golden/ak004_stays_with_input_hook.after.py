from agentkit.prebuilt import create_react_agent


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def trim(state):
    return {"llm_input_messages": state["messages"][-2:]}


def prompt(state):
    return [("system", f"{len(state['messages'])} messages."), *state["messages"]]


SCRIPT = ["one", "two"]


def build(model):
    # TODO(agentkit): AK004 the prompt function is given the hook's llm_input_messages as the conversation
    return create_react_agent(model, [add], prompt=prompt, pre_model_hook=trim)
