from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    tools = [add]

    class ModelSettings(AgentMiddleware):
        """Calls the model with what was bound to it."""

        def wrap_model_call(self, request, handler):
            request = request.override(model_settings={"parallel_tool_calls": False}, tool_choice="any")
            return handler(request)

        async def awrap_model_call(self, request, handler):
            request = request.override(model_settings={"parallel_tool_calls": False}, tool_choice="any")
            return await handler(request)

    return create_agent(
        model, tools, middleware=[ModelSettings()]
    )
