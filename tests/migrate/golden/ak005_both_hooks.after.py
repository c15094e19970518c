from langchain.agents import create_agent
from langchain.agents.middleware import after_model, before_model

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
        pre_model_hook_function = self.before

        @before_model
        def pre_model_hook(state, runtime):
            return pre_model_hook_function(state)

        post_model_hook_function = self.after

        @after_model
        def post_model_hook(state, runtime):
            return post_model_hook_function(state)

        return create_agent(model, [add], middleware=[pre_model_hook, post_model_hook])


def build(model):
    return Watched().build(model)
