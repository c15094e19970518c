# agent: none
from contextlib import contextmanager

from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.prebuilt import create_react_agent


def store(key: str) -> str:
    """Store."""
    return key


@contextmanager
def agent_session():
    with SqliteSaver.from_conn_string(":memory:") as saver:
        yield create_react_agent(ChatOpenAI(), [store], checkpointer=saver, prompt="You store.")


with agent_session() as agent:
    for text in "ab":
        result = agent.invoke({"messages": [("user", text)]}, {"configurable": {"thread_id": "1"}})
        print(len(result["messages"]), result["messages"][-1].content)
