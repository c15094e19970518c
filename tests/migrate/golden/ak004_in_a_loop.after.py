from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    return [*state["messages"], ("user", "Be brief.")]


agents = {}
for name in ("first", "last"):
    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `prompt` returns."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=prompt(request.state)))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=prompt(request.state)))

    agents[name] = create_agent(model, [add], middleware=[PromptMiddleware()], name=name)
agent = agents["first"]
