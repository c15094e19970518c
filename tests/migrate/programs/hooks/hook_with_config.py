from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def remember_user(state, config: RunnableConfig):
    user = config.get("configurable", {}).get("user", "nobody")
    return {"llm_input_messages": [("system", f"User: {user}"), *state["messages"]]}


def f(x: int) -> int:
    """f."""
    return x


agent = create_react_agent(ChatOpenAI(), [f], pre_model_hook=remember_user)
