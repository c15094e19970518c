from langchain_core.runnables import RunnableConfig
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, dynamic_prompt
from langgraph.config import get_config


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@dynamic_prompt
def prompt(request: ModelRequest):
    config = get_config()
    thread = config["configurable"].get("thread_id")
    return f"This is thread {thread}."


def build(model):
    return create_agent(model, [add], middleware=[prompt])
