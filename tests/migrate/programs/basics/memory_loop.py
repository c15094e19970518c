from langchain_anthropic import ChatAnthropic
from langgraph.checkpoint.memory import MemorySaver
from langgraph.prebuilt import create_react_agent

memory = MemorySaver()
model = ChatAnthropic(model_name="claude-3-5-sonnet-20240620")


def note(text: str) -> str:
    "Write a note down."
    return "noted: " + text


tools = [note]
agent_executor = agent = create_react_agent(model, tools, checkpointer=memory)
config = {"configurable": {"thread_id": "abc123"}}

while True:
    user_input = input("You: ")
    if user_input.lower() in ["exit", "quit"]:
        break
    for step in agent_executor.stream(
        {"messages": [("user", user_input)]},
        config,
        stream_mode="values",
    ):
        step["messages"][-1].pretty_print()
