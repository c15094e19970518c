from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tone = "brief"

    def prompt(s):
        return [("system", f"Be {tone}."), *s["messages"]]

    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `prompt` returns."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=prompt(request.state)))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=prompt(request.state)))

    return create_agent(
        model,
        [add],
        middleware=[PromptMiddleware()],
    )
