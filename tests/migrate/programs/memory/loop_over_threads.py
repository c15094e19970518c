from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


def save(name: str) -> str:
    """Save."""
    return name


agent = create_react_agent(ChatOpenAI(), tools=[save], checkpointer=MemorySaver(), prompt="You save.")


def ask(question: str, thread: str) -> str:
    config = {"configurable": {"thread_id": thread}}
    return agent.invoke({"messages": [("user", question)]}, config)["messages"][-1].content


print([ask(q, t) for t in ("a", "b") for q in ("one", "two")])
print(agent.get_state({"configurable": {"thread_id": "a"}}).next)
