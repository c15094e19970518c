from langchain_core.messages import SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

memories = InMemoryStore()
memories.put(("memories", "anna"), "1", {"text": "likes tea"})


def prompt(state, config: RunnableConfig, *, store: BaseStore):
    user = config["configurable"].get("user_id", "anna")
    found = "\n".join(item.value["text"] for item in store.search(("memories", user)))
    return [SystemMessage(content=f"What you know:\n{found}"), *state["messages"]]


def brew(drink: str) -> str:
    """Brew."""
    return f"hot {drink}"


agent = create_react_agent(ChatOpenAI(), [brew], prompt=prompt, store=memories)
