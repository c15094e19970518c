from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from scripted import model as small

large = small


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


tools = [add]


def pick(state, runtime):
    chosen = large if len(state["messages"]) > 2 else small
    if chosen is large:
        return large.bind_tools(tools)
    return small.bind_tools(tools)


class PickModel(AgentMiddleware):
    """Calls the model that `pick` returns, with the tools it has bound."""

    def wrap_model_call(self, request, handler):
        return handler(request.override(model=pick(request.state, request.runtime), tools=[]))

    async def awrap_model_call(self, request, handler):
        return await handler(request.override(model=pick(request.state, request.runtime), tools=[]))


agent = create_agent(large, tools, system_prompt="Be brief.", middleware=[PickModel()])
