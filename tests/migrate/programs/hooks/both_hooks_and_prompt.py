# stays: AK004
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def prompt(state):
    messages = state.get("llm_input_messages") or state["messages"]
    return [SystemMessage("You f."), *messages]


def before(state):
    return {"llm_input_messages": state["messages"][-6:]}


def after(state):
    return {}


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], prompt=prompt, pre_model_hook=before, post_model_hook=after)
