from langchain_core.messages.utils import count_tokens_approximately, trim_messages
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent

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
    return create_react_agent(
        model,
        [add],
        pre_model_hook=pre_model_hook,
        prompt="Be brief.",
        checkpointer=InMemorySaver(),
    )
