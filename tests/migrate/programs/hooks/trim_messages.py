from langchain_core.messages.utils import count_tokens_approximately, trim_messages
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.prebuilt import create_react_agent


def pre_model_hook(state):
    trimmed_messages = trim_messages(
        state["messages"],
        strategy="last",
        token_counter=count_tokens_approximately,
        max_tokens=384,
        start_on="human",
        end_on=("human", "tool"),
    )
    return {"llm_input_messages": trimmed_messages}


def get_weather(city: str) -> str:
    """Weather."""
    return f"fog in {city}"


checkpointer = InMemorySaver()
agent = create_react_agent(ChatOpenAI(), [get_weather], pre_model_hook=pre_model_hook, checkpointer=checkpointer)
