from langchain_anthropic import ChatAnthropic
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

memory = MemorySaver()
model = ChatAnthropic(model_name="claude-3-5-sonnet-latest")


def multiply(a: float, b: float) -> float:
    """Multiply."""
    return a * b


app = create_react_agent(model, [multiply], checkpointer=memory)
config = {"configurable": {"thread_id": "abc123"}}
for chunk in app.stream({"messages": [("user", "2*3?")]}, config, stream_mode="updates"):
    print(chunk)
    print("----")
state = app.get_state(config)
print(state.next)
