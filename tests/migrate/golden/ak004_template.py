from langchain_core.prompts import ChatPromptTemplate
from langgraph.prebuilt import create_react_agent

PROMPT = ChatPromptTemplate.from_messages([("system", "Be brief."), ("placeholder", "{messages}")])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def build(model):
    # The template is a Runnable.
    return create_react_agent(model, [add], prompt=PROMPT)
