from langgraph.prebuilt import create_react_agent

SEEN = []


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Watched:
    def before(self, state):
        SEEN.append(len(state["messages"]))
        return {"messages": []}

    def after(self, state):
        return {}

    def build(self, model):
        return create_react_agent(model, [add], pre_model_hook=self.before, post_model_hook=self.after)


def build(model):
    return Watched().build(model)
