from langchain_core.prompts import ChatPromptTemplate
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware

PROMPT = ChatPromptTemplate.from_messages([("system", "Be brief."), ("placeholder", "{messages}")])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    class PromptMiddleware(AgentMiddleware):
        """Sends the model what `PROMPT` makes of the state."""

        def wrap_model_call(self, request, handler):
            return handler(request.override(messages=PROMPT.invoke(request.state).to_messages()))

        async def awrap_model_call(self, request, handler):
            return await handler(request.override(messages=PROMPT.invoke(request.state).to_messages()))

    # The template is a Runnable.
    return create_agent(model, [add], middleware=[PromptMiddleware()])
