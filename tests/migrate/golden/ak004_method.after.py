from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Service:
    def __init__(self, model, tone):
        self.tone = tone
        prompt = self._prompt

        class PromptMiddleware(AgentMiddleware):
            """Sends the model what `prompt` returns."""

            def wrap_model_call(self, request, handler):
                return handler(request.override(messages=prompt(request.state)))

            async def awrap_model_call(self, request, handler):
                return await handler(request.override(messages=prompt(request.state)))

        self.agent = create_agent(model, [add], middleware=[PromptMiddleware()])

    def _prompt(self, state):
        return [("system", f"Be {self.tone}."), *state["messages"]]


def build(model):
    return Service(model, "brief").agent
