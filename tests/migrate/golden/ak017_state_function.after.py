from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware

HISTORICAL = True
SCRIPT = ["done", "well"]  # what goes by the number of messages would call tools forever


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def modify(state):
    return state["messages"][-2:]


def build(model):
    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `modify` returns."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=modify(request.state)))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=modify(request.state)))

    return create_agent(model, [add], middleware=[PromptMiddleware()])
