from langchain_core.runnables import RunnableLambda
from typing import Annotated
from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AnyMessage
from typing_extensions import NotRequired


class LLMInputState(AgentState):
    """What the model is sent in place of the conversation."""

    llm_input_messages: NotRequired[Annotated[list[AnyMessage], PrivateStateAttr]]


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


hook = RunnableLambda(lambda state: {"messages": []})


def build(model):
    class PreModelHook(AgentMiddleware):
        """Sends the model the `llm_input_messages` that `hook` returns."""

        state_schema = LLMInputState

        def before_model(self, state, runtime):
            return hook.invoke(state)

        async def abefore_model(self, state, runtime):
            return await hook.ainvoke(state)

        def wrap_model_call(self, request, handler):
            messages = request.state.get("llm_input_messages") or request.messages
            return handler(request.override(messages=messages))

        async def awrap_model_call(self, request, handler):
            messages = request.state.get("llm_input_messages") or request.messages
            return await handler(request.override(messages=messages))

    return create_agent(model, [add], middleware=[PreModelHook()])
