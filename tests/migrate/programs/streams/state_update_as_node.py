from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


def pay(amount: float) -> str:
    """Pay."""
    return f"paid {amount}"


agent = create_react_agent(ChatOpenAI(), [pay], checkpointer=MemorySaver())
config = {"configurable": {"thread_id": "7"}}
agent.invoke({"messages": [("user", "pay 5")]}, config)
agent.update_state(config, {"messages": [AIMessage("Paid, thank you.")]}, as_node="agent")
print(agent.get_state(config).values["messages"][-1].content, agent.get_state(config).next)
