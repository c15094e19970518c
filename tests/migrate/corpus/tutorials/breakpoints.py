from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent


def book(hotel: str) -> str:
    """Book a hotel."""
    return f"booked {hotel}"


model = ChatOpenAI(model="gpt-4o")
# A checkpointer is needed to go on after the pause.
graph = create_react_agent(
    model, tools=[book], interrupt_before=["tools"], checkpointer=MemorySaver()
)
config = {"configurable": {"thread_id": "42"}}
graph.invoke({"messages": [("user", "book the ritz")]}, config)
snapshot = graph.get_state(config)
print("Next step: ", snapshot.next)
last_message = snapshot.values["messages"][-1]
last_message.tool_calls[0]["args"] = {"hotel": "Hilton"}
graph.update_state(config, {"messages": [last_message]})
graph.invoke(None, config)
