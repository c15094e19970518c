from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def debug_hook(state, label):
    return {"llm_input_messages": list(state["messages"])}


def confirm(code: str) -> str:
    """Confirm a booking."""
    return f"{code} confirmed"


agent = create_react_agent(
    model=ChatOpenAI(),
    tools=[confirm],
    prompt="You book.",
    name="booking_agent",
    pre_model_hook=lambda state: debug_hook(state, "BOOKING_PRE"),
    version="v2",
)
