from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from scripted import model


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def prompt(state):
    sent = [("system", "You add.")]
    sent.extend(state["messages"])
    return sent


class PromptMiddleware(AgentMiddleware):
    """Sends the model what `prompt` returns."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(messages=prompt(request.state)))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(messages=prompt(request.state)))


agent = create_agent(model, [add], middleware=[PromptMiddleware()])
