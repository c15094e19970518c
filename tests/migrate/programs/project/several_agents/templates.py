TEMPLATES = {"planner": "You plan for <<n>> messages.", "writer": "You write."}


def apply_template(name: str, state) -> list:
    text = TEMPLATES[name].replace("<<n>>", str(len(state["messages"])))
    return [{"role": "system", "content": text}] + state["messages"]
