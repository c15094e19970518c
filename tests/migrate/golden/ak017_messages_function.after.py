from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware

HISTORICAL = True
SCRIPT = ["done", "well"]  # what goes by the number of messages would call tools forever


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    def prompt(messages):
        return messages[-2:]

    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `prompt` returns."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=prompt(request.state["messages"])))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=prompt(request.state["messages"])))

    return create_agent(model, [add], middleware=[PromptMiddleware()])
