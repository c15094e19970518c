import sqlite3

from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.prebuilt import create_react_agent

conn = sqlite3.connect(":memory:", check_same_thread=False)
memory = SqliteSaver(conn)


def log(entry: str) -> str:
    """Log."""
    return entry


agent = create_react_agent(ChatOpenAI(), [log], checkpointer=memory)
config = {"configurable": {"thread_id": "1"}}
for text in ("one", "two"):
    agent.invoke({"messages": [("user", text)]}, config)
print(len(agent.get_state(config).values["messages"]))
print([m.type for m in agent.get_state(config).values["messages"]])
