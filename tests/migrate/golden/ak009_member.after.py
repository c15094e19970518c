from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Bot:
    def __init__(self, model):
        self.model: object = model.bind_tools([add], tool_choice="any")

        class ModelSettings(AgentMiddleware):
            """Calls the model with what was bound to it."""

            def wrap_model_call(self, request, handler):
                request = request.override(tool_choice="any")
                return handler(request)

            async def awrap_model_call(self, request, handler):
                request = request.override(tool_choice="any")
                return await handler(request)

        self.agent = create_agent(model, [add], middleware=[ModelSettings()])


agent = Bot(model).agent
