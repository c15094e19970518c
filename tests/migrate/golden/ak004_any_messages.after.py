from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def last_three(state):
    recent = state["messages"][-3:]
    return [("system", "Be brief."), *recent]


def build(model):
    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `last_three` returns."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=last_three(request.state)))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=last_three(request.state)))

    return create_agent(model, [add], middleware=[PromptMiddleware()])
