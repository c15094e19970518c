from langchain_core.messages import SystemMessage


def dynamic_prompt(state):
    return [SystemMessage(f"{len(state['messages'])} messages so far."), *state["messages"]]
