from langgraph.prebuilt import create_react_agent


def outer(llm):
    tone = "kind"

    def prompt(state):
        return [{"role": "system", "content": f"Be {tone}."}] + state["messages"]

    def hook(state):
        nonlocal tone
        tone = "brief"
        return {}

    def build():
        return create_react_agent(llm, [], prompt=prompt, pre_model_hook=hook)

    return build()
