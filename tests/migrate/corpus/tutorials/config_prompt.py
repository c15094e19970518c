from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import create_react_agent
from langgraph.prebuilt.chat_agent_executor import AgentState


def prompt(state: AgentState, config: RunnableConfig) -> list[AnyMessage]:
    user_name = config["configurable"].get("user_name")
    system_msg = f"You are a helpful assistant. User's name is {user_name}"
    return [{"role": "system", "content": system_msg}] + state["messages"]


agent = create_react_agent(model="anthropic:claude-3-7-sonnet-latest", tools=[], prompt=prompt)
agent.invoke({"messages": []}, config={"configurable": {"user_name": "John Smith"}})
