from langgraph.prebuilt import create_react_agent


# one
def hook(  # two
    state,  # three
):  # four
    # five
    return {"messages": []}  # six


# seven
def prompt(state):  # eight
    # nine
    return [  # ten
        {"role": "system", "content": "x"},  # eleven
        *state["messages"],  # twelve
    ]  # thirteen


agent = create_react_agent(
    "openai:gpt-4o",
    [],
    prompt=prompt,  # fourteen
    post_model_hook=hook,  # fifteen
    response_format=None,  # sixteen
)
