# inputs: [{"messages": [("user", "hi")]}]
# script: [call("recall", key="color"), "It is blue."]
from typing import Annotated, Any

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import InjectedStore, create_react_agent
from langgraph.store.memory import InMemoryStore

store = InMemoryStore()
store.put(("facts",), "color", {"value": "blue"})


@tool
def recall(key: str, store: Annotated[Any, InjectedStore()]) -> str:
    """Recall a fact."""
    item = store.get(("facts",), key)
    return item.value["value"] if item else "unknown"


agent = create_react_agent(ChatOpenAI(), tools=[recall], store=store, prompt="You remember.")
