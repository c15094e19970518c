# config: {"configurable": {"user_name": "Kim"}}
from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


def prompt(state: AgentState, config: RunnableConfig) -> list[AnyMessage]:
    user_name = config["configurable"].get("user_name", "nobody")
    system_msg = f"You are a helpful assistant. Address the user as {user_name}."
    return [{"role": "system", "content": system_msg}] + state["messages"]


def get_weather(city: str) -> str:
    """Get weather for a given city."""
    return f"Rain in {city}"


agent = create_react_agent(model=ChatOpenAI(), tools=[get_weather], prompt=prompt)
