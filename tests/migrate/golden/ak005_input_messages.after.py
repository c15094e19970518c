from langchain_core.messages.utils import count_tokens_approximately, trim_messages
from langgraph.checkpoint.memory import InMemorySaver
from typing import Annotated
from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AnyMessage
from typing_extensions import NotRequired


class LLMInputState(AgentState):
    """What the model is sent in place of the conversation."""

    llm_input_messages: NotRequired[Annotated[list[AnyMessage], PrivateStateAttr]]


checkpointer = InMemorySaver()


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


# Called before every model call.
def pre_model_hook(state):
    trimmed = trim_messages(
        state["messages"],
        strategy="last",
        token_counter=count_tokens_approximately,
        max_tokens=384,
        start_on="human",
        end_on=("human", "tool"),
    )
    return {"llm_input_messages": trimmed}


def build(model):
    class PreModelHook(AgentMiddleware):
        """Sends the model the `llm_input_messages` that `pre_model_hook` returns."""

        state_schema = LLMInputState

        def before_model(self, state, runtime):
            return pre_model_hook(state)

        def wrap_model_call(self, request, handler):
            messages = request.state.get("llm_input_messages") or request.messages
            return handler(request.override(messages=messages))

        async def awrap_model_call(self, request, handler):
            messages = request.state.get("llm_input_messages") or request.messages
            return await handler(request.override(messages=messages))

    return create_agent(
        model,
        [add],
        middleware=[PreModelHook()],
        system_prompt="Be brief.",
        checkpointer=InMemorySaver(),
    )
